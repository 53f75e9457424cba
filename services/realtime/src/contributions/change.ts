import type { PoolClient } from 'pg';
import type { ModerationAction } from '@beltway/contracts/realtime/comments';
import { afterCommit } from '@beltway/kit/after-commit';
import type { Caller } from '@beltway/kit/auth';
import { forbidden, notFound } from '@beltway/kit/problems';
import { noteNewVersion, settleReports } from '@beltway/kit/service/moderated';
import { noteWriter } from '../community/people.ts';
import { kysely } from '../db.ts';
import { RULES, type Kind } from './kinds.ts';
import { keepPicture } from './pictures.ts';
import { find, isModerator, isShown, shown, updated, type Row, type Viewer } from './rows.ts';
import { textKeyOf } from './text-key.ts';
import { changing, count, refuse, refuseRepeated, refuseWhenClosed, threadOf, type Contributing } from './write.ts';

/** Missing fields are unchanged. */
export interface Change {
  text?: string | undefined;
  /** null removes the picture. */
  imageUrl?: string | null | undefined;
  category?: string | undefined;
  isPinned?: boolean | undefined;
}

/** The reader that a changed contribution is loaded for. Undefined for comments, which are the same for all readers. */
const viewerOf = (kind: Kind, viewer: Viewer): Viewer => (RULES[kind].subject === 'event' ? undefined : viewer);

/** A contribution that the caller may change. Throws 403, 404; 409 if moderators hid it. */
async function changeable(
  db: PoolClient | Contributing['pool'],
  caller: Caller,
  kind: Kind,
  id: number,
  { isPinned, ...content }: Change,
): Promise<Row> {
  const { what, hidden } = RULES[kind];
  const row = await find(db, viewerOf(kind, caller), kind, id);
  if (!row || row.deletedAt || (row.hiddenAt && !hidden)) throw notFound(what);
  const isOfContent = Object.values(content).some((value) => value !== undefined);
  if (isOfContent && row.authorId !== caller.id) throw forbidden();
  if (isPinned !== undefined && !isModerator(row, caller)) throw forbidden();
  if (row.hiddenAt) refuse(hidden!);
  return row;
}

/**
 * Changes a contribution: its author changes the content, and moderators pin it. A change without effect does nothing.
 * Throws 400, 403, 404, 503, and 409 with the code of its reason.
 */
export async function change(
  deps: Contributing,
  caller: Caller,
  kind: Kind,
  id: number,
  wanted: Change,
): Promise<void> {
  // Done before the thread is locked, because media may be slow.
  const before = await changeable(deps.pool, caller, kind, id, wanted);
  if (typeof wanted.imageUrl === 'string' && wanted.imageUrl !== before.imageUrl)
    await keepPicture(deps.media, wanted.imageUrl);
  const event = RULES[kind].closes ? await deps.events.of(before.eventId!) : undefined;
  await changing(deps, threadOf(before), async (tx) => {
    const row = await changeable(tx, caller, kind, id, wanted);
    const { text = row.text!, imageUrl = row.imageUrl, category = row.category, isPinned = row.isPinned } = wanted;
    const isEdited = text !== row.text || imageUrl !== row.imageUrl || category !== row.category;
    if (!isEdited && isPinned === row.isPinned) return;
    const now = deps.clock();
    const textKey = RULES[kind].isSaidOnce ? textKeyOf(text) : null;
    if (isEdited) refuseWhenClosed(kind, event, now);
    if (textKey !== null) await refuseRepeated(tx, { ...row, textKey });
    const version = text === row.text ? row.version : row.version + 1;
    const editedAt = isEdited ? now : row.editedAt;
    await updated(tx, id).set({ text, textKey, imageUrl, category, isPinned, editedAt, version }).execute();
    if (version > row.version) await noteNewVersion(tx, kind, id, version);
  });
}

const below = (tx: PoolClient, id: number) =>
  kysely(tx).selectFrom('contributions as child').select('child.id').where('child.parentId', '=', id).limit(1);

/**
 * Erases a contribution as its author would. If the kind has `keepsPlace`, the row stays without its text in two cases:
 * other contributions are below it, or it is hidden. A hidden row stays so that the same text cannot be posted again.
 */
export async function erase(deps: Pick<Contributing, 'wakeCounts' | 'clock'>, tx: PoolClient, row: Row): Promise<void> {
  const { id, kind, parentId } = row;
  if (row.deletedAt) return;
  if (!row.hiddenAt) await count(tx, row, -1);
  afterCommit(tx, deps.wakeCounts);
  const isPlaceKept =
    RULES[kind].keepsPlace && (row.hiddenAt !== null || (await below(tx, id).executeTakeFirst()) !== undefined);
  if (isPlaceKept) {
    await updated(tx, id)
      .set({ text: null, ...(!row.hiddenAt && { textKey: null }), deletedAt: deps.clock() })
      .execute();
    await kysely(tx).deleteFrom('reportedTexts').where('contributionId', '=', id).execute();
    return;
  }
  await kysely(tx).deleteFrom('contributions').where('id', '=', id).execute();
  if (parentId !== null)
    await kysely(tx)
      .deleteFrom('contributions')
      .where('id', '=', parentId)
      .where('deletedAt', 'is not', null)
      .where('hiddenAt', 'is', null)
      .where(({ not, exists }) => not(exists(below(tx, parentId))))
      .execute();
}

export interface Moderator {
  id: number;
  /** Undefined for an admin if only the id is known. */
  name?: string;
  isAdmin: boolean;
}

/** Hides, restores or keeps a contribution, and returns whether something changed. Throws 403, 409. */
async function act(
  tx: PoolClient,
  row: Row,
  { moderator, action }: { moderator: Moderator; action: ModerationAction },
  now: Date,
): Promise<boolean> {
  const { id } = row;
  switch (action) {
    case 'hide': {
      // If the event's owner hid the contribution, an admin can take over the hide.
      const isRaised = moderator.isAdmin && row.hiddenAt !== null && !row.hiddenByAdmin;
      if (row.hiddenAt && !isRaised) return false;
      await updated(tx, id)
        .set({ hiddenAt: row.hiddenAt ?? now, hiddenByAdmin: moderator.isAdmin })
        .execute();
      if (!row.hiddenAt) await count(tx, row, -1);
      await settleReports(tx, row.kind, id);
      return true;
    }
    case 'restore':
      if (!row.hiddenAt) return false;
      if (row.hiddenByAdmin && !moderator.isAdmin) throw forbidden('admin-hid');
      await updated(tx, id).set({ hiddenAt: null, hiddenByAdmin: false }).execute();
      await count(tx, row, 1);
      return true;
    case 'keep':
      if (row.hiddenAt) refuse('hidden-meanwhile');
      return settleReports(tx, row.kind, id);
  }
}

/** Applies a moderation. If something changed, records the moderator and the time. */
async function actAndRecord(
  deps: Contributing,
  tx: PoolClient,
  row: Row,
  moderation: { moderator: Moderator; action: ModerationAction },
  now = deps.clock(),
): Promise<void> {
  const { moderator, action } = moderation;
  if (!(await act(tx, row, moderation, now))) return;
  afterCommit(tx, deps.wakeCounts);
  if (moderator.name !== undefined) await noteWriter(tx, { id: moderator.id, name: moderator.name });
  await kysely(tx)
    .insertInto('contributionModerations')
    .values({
      contributionId: row.id,
      action,
      moderatorId: moderator.id,
      isAdmin: moderator.isAdmin,
      createdAt: now,
    })
    .execute();
}

/** Moderates a contribution. Throws 403, 404, and 409 with the code of its reason. */
export async function moderate(
  deps: Contributing,
  kind: Kind,
  id: number,
  moderation: { moderator: Moderator; action: ModerationAction },
  now?: Date,
): Promise<void> {
  const present = async (db: PoolClient | Contributing['pool']) => {
    const row = await find(db, undefined, kind, id);
    if (!row || row.deletedAt) throw notFound(RULES[kind].what);
    return row;
  };
  await changing(deps, threadOf(await present(deps.pool)), async (tx) =>
    actAndRecord(deps, tx, await present(tx), moderation, now),
  );
}

/**
 * Deletes the caller's own contribution, or hides another account's contribution if the caller may hide it. Does
 * nothing if the contribution is already gone. Returns the previous state of the contribution. Throws 403.
 */
export async function remove(
  deps: Contributing,
  caller: Caller,
  kind: Kind,
  { id, parentId }: { id: number; parentId?: number | undefined },
): Promise<Row | undefined> {
  // Ignores blocks, which restrict neither moderators nor an author's own contributions.
  const before = await find(deps.pool, undefined, kind, id);
  if (!before || before.deletedAt || (parentId !== undefined && before.parentId !== parentId)) return undefined;
  if (before.authorId === caller.id) {
    await removeForGood(deps, before);
    return before;
  }
  const { hiddenBy } = RULES[kind];
  const isOfParent = hiddenBy === 'author of its parent' && before.parentAuthorId === caller.id;
  if (hiddenBy === 'moderation' || !(isOfParent || isModerator(before, caller))) throw forbidden();
  const moderator = { id: caller.id, name: caller.name, isAdmin: caller.role === 'admin' };
  await changing(deps, threadOf(before), async (tx) => {
    const row = await find(tx, undefined, kind, id);
    if (row) await actAndRecord(deps, tx, row, { moderator, action: 'hide' });
  });
  return before;
}

/** Erases a contribution, serialized with its thread. */
export const removeForGood = (
  deps: Pick<Contributing, 'pool' | 'turns' | 'wakeCounts' | 'clock'>,
  before: Pick<Row, 'kind' | 'id' | 'parentId' | 'eventId'>,
): Promise<void> =>
  changing(deps, threadOf(before), async (tx) => {
    const row = await find(tx, undefined, before.kind, before.id);
    if (row) await erase(deps, tx, row);
  });

/**
 * Accepts an answer for the author of the question, replacing an earlier accepted answer, or withdraws the acceptance.
 * Throws 403, 404.
 */
export async function accept(deps: Contributing, caller: Caller, id: number, isAccepted: boolean): Promise<void> {
  const { parentId } = await shown(deps.pool, caller, 'answer', id);
  await changing(deps, { of: 'contribution', id: parentId! }, async (tx) => {
    const question = await shown(tx, caller, 'question', parentId!);
    if (question.authorId !== caller.id) throw forbidden();
    // Read again while the thread is locked, because the answer may have been hidden.
    const answer = await find(tx, caller, 'answer', id);
    if (!answer || !isShown(answer)) throw notFound(RULES.answer.what);
    if (isAccepted) await updated(tx, question.id).set({ acceptedId: id }).execute();
    else await updated(tx, question.id).set({ acceptedId: null }).where('acceptedId', '=', id).execute();
  });
}
