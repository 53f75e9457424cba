import type { Pool, PoolClient } from 'pg';
import { endOf } from '@beltway/contracts/common/times';
import type { CommentPage } from '@beltway/contracts/realtime/comments';
import { fingerprintOf, uuidFrom } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import { afterCommit } from '@beltway/kit/after-commit';
import type { Caller } from '@beltway/kit/auth';
import type { InternalClient } from '@beltway/kit/internal';
import { once } from '@beltway/kit/once';
import { transaction } from '@beltway/kit/postgres';
import { badField, notFound } from '@beltway/kit/problems';
import { blocksAmong } from '../community/blocks.ts';
import { noteWriter } from '../community/people.ts';
import { kysely } from '../db.ts';
import { noteFact } from '../notifications/facts.ts';
import type { NotedEvent } from '../notifications/noted.ts';
import { hourOf, ring } from '../notifications/ring.ts';
import { commentCount, countComments } from './comment-counts.ts';
import type { Events } from './events.ts';
import { RULES, type Kind, type Refusal } from './kinds.ts';
import { aboutEvent, checkLimits } from './limits.ts';
import { keepPicture } from './pictures.ts';
import { setMark } from './marks.ts';
import { placeColumns } from './places.ts';
import { find, isModerator, isShown, updated, type Row } from './rows.ts';
import { textKeyOf } from './text-key.ts';
import type { Turns } from './turns.ts';

export interface Contributing {
  pool: Pool;
  turns: Turns;
  events: Events;
  /** Keeps pictures that contributions refer to. */
  media: Pick<InternalClient, 'post'>;
  isUnlimited: boolean;
  /** Called when these accounts have a new notification. */
  notified: (userIds: readonly number[]) => void;
  /** Called when a notification for many accounts was queued. */
  wakeNotifications: () => void;
  /** Called when the number of comments of an event changed. */
  wakeCounts: () => void;
  clock: () => Date;
}

const OPEN_DAYS = 30;
const DAY_MS = 24 * 3_600_000;

export const refuse = (text: Refusal): never => {
  throw new Rejected(text);
};

/** Why a thread is closed; null if the thread is open. */
export function closedBy(event: NotedEvent, now: Date): CommentPage['closed'] {
  if (event.status === 'canceled') return 'canceled';
  // A postponed event has no end yet.
  if (event.status === 'postponed') return null;
  return now.getTime() > endOf(event).getTime() + OPEN_DAYS * DAY_MS ? 'over' : null;
}

/** Throws 409 when the thread is closed. */
export function refuseWhenClosed(kind: Kind, event: NotedEvent | undefined, now: Date): void {
  const closed = RULES[kind].closes && event ? closedBy(event, now) : null;
  if (closed === 'canceled') refuse('comments-closed.canceled');
  if (closed === 'over') refuse('comments-closed.over');
}

/** The unit of serialized changes: the comments of an event, or a post or question with everything below it. */
export interface Thread {
  of: 'event' | 'contribution';
  id: number;
}
const LOCKS: Record<Thread['of'], number> = { event: 4601, contribution: 4602 };

export const threadOf = ({ id, kind, parentId, eventId }: Pick<Row, 'id' | 'kind' | 'parentId' | 'eventId'>): Thread =>
  RULES[kind].subject === 'event' ? { of: 'event', id: eventId! } : { of: 'contribution', id: parentId ?? id };

/** SQL text, because the query builder cannot take a lock without rows. */
export const lockThread = (tx: PoolClient, { of, id }: Thread) =>
  tx.query('select pg_advisory_xact_lock($1, $2)', [LOCKS[of], id]);

/**
 * Runs `work` while nothing else changes the thread. Within this process, other changes wait without using a database
 * connection.
 */
export const changing = <T>(
  { pool, turns }: Pick<Contributing, 'pool' | 'turns'>,
  thread: Thread,
  work: (tx: PoolClient) => Promise<T>,
): Promise<T> =>
  turns(`${thread.of} ${thread.id}`, () =>
    transaction(pool, async (tx) => {
      await lockThread(tx, thread);
      return work(tx);
    }),
  );

/** Counts a contribution that becomes visible (1) or invisible (-1), for its parent and its event. */
export async function count(tx: PoolClient, { id, kind, parentId, eventId }: Row, by: 1 | -1): Promise<void> {
  if (parentId !== null)
    // When an accepted answer was hidden and is restored, it is not accepted again.
    await updated(tx, parentId)
      .set(({ eb, fn, ref, val }) => ({
        below: eb('below', '+', by),
        acceptedId: fn<number | null>('nullif', [ref('acceptedId'), val(id)]),
      }))
      .execute();
  if (RULES[kind].ofEvent) await countComments(tx, eventId!, by);
}

/** Throws 409 for a text that the author already posted about the event. */
export async function refuseRepeated(
  tx: PoolClient,
  { eventId, authorId, textKey, id = 0 }: { eventId: number | null; authorId: number; textKey: string; id?: number },
): Promise<void> {
  const same = await kysely(tx)
    .selectFrom('contributions')
    .select('id')
    .where('eventId', '=', eventId)
    .where('authorId', '=', authorId)
    .where('textKey', '=', textKey)
    .where('id', '<>', id)
    .executeTakeFirst();
  if (same) refuse('said-already');
}

/** The fields of a new contribution. */
export interface Draft {
  text: string;
  eventId?: number | undefined;
  parentId?: number | undefined;
  place?: string | undefined;
  imageUrl?: string | undefined;
  category?: string | undefined;
}

/** Whether one of the two accounts blocks the other. */
const isBlocked = async (tx: PoolClient, one: number, other: number): Promise<boolean> =>
  (await blocksAmong(tx, one, [other])).length > 0;

/** The parent of the new contribution. Throws 404, 409. */
async function parentOf(tx: PoolClient, writer: Caller, kind: Kind, draft: Draft): Promise<Row | undefined> {
  const { parent: parentKind, isParentOptional, subject } = RULES[kind];
  if (!parentKind || draft.parentId === undefined) return undefined;
  const { what, below } = RULES[parentKind];
  const parent = await find(tx, subject === 'event' ? undefined : writer, parentKind, draft.parentId);
  if (!parent || (subject === 'event' && parent.eventId !== draft.eventId)) throw notFound(what);
  // Comments are the same for all readers, so `find` did not check blocks. Moderators can answer every author.
  if (subject === 'event' && !isModerator(parent, writer) && (await isBlocked(tx, writer.id, parent.authorId)))
    throw notFound(what);
  if (isParentOptional && parent.parentId !== null) refuse('no-answers-to-answers');
  if (!isShown(parent)) {
    if (!below?.removed) throw notFound(what);
    refuse(below.removed);
  }
  if (parent.below >= below!.max) refuse(below!.full);
  return parent;
}

/** Notifies the accounts that a new contribution concerns, in the transaction that writes it. */
async function notify(deps: Contributing, tx: PoolClient, row: Row, parent: Row | undefined, now: Date): Promise<void> {
  const { id, kind, authorId, eventId } = row;
  if (kind === 'question') await setMark(tx, { id, userId: authorId, mark: 'follow' }, now);
  if (kind === 'answer') {
    await noteFact(
      tx,
      { id: uuidFrom(`reply ${id}`), occurredAt: now.toISOString() },
      { kind: 'reply', questionId: parent!.id, answerId: id, authorId, ...(eventId !== null && { eventId }) },
    );
    afterCommit(tx, deps.wakeNotifications);
  }
  // Readers are notified only of contributions that they can see.
  const isSeen = parent && parent.authorId !== authorId && !(await isBlocked(tx, authorId, parent.authorId));
  if (kind === 'comment' && isSeen) {
    const notified = await ring(tx, [parent.authorId], {
      ...{ kind: 'comment-answered', key: `answered:${parent.id}:${hourOf(now)}`, again: 'count' },
      ...{ eventId: eventId!, subjectId: parent.id },
    });
    afterCommit(tx, () => deps.notified(notified));
  }
}

/**
 * Writes a contribution and returns its id. A repeat with the same idempotency key returns the same id and writes
 * nothing. Throws `CommandReused` when the key was used for a different request, 400 with the names of the invalid
 * fields, 404, 409 with the code of its reason, 429, and 503 while media is down.
 */
export async function write(
  deps: Contributing,
  writer: Caller,
  kind: Kind,
  draft: Draft,
  key: string | undefined,
): Promise<number> {
  const rules = RULES[kind];
  const event = draft.eventId === undefined ? undefined : await deps.events.of(draft.eventId);
  if (draft.eventId !== undefined && !event) {
    if (rules.subject === 'event') throw notFound('event');
    throw badField('eventId', 'invalid.no-event');
  }
  const place = placeColumns(draft.place, rules.placeField ?? '', event?.location);
  if (draft.imageUrl !== undefined) await keepPicture(deps.media, draft.imageUrl);
  const textKey = rules.isSaidOnce ? textKeyOf(draft.text) : null;
  const thread: Thread | undefined =
    rules.subject === 'event'
      ? { of: 'event', id: draft.eventId! }
      : draft.parentId === undefined
        ? undefined
        : { of: 'contribution', id: draft.parentId };

  async function insert(tx: PoolClient, now: Date): Promise<number> {
    if (thread) await lockThread(tx, thread);
    refuseWhenClosed(kind, event, now);
    const eventId = draft.eventId ?? null;
    if (!deps.isUnlimited) await checkLimits(tx, kind, { userId: writer.id, eventId }, now);
    const parent = await parentOf(tx, writer, kind, draft);
    if (textKey !== null) await refuseRepeated(tx, { eventId, authorId: writer.id, textKey });
    if (rules.ofEvent && (await commentCount(tx, eventId!)) >= rules.ofEvent.max) refuse(rules.ofEvent.full);
    await noteWriter(tx, writer);
    const isVerified = parent !== undefined && isModerator(parent, writer);
    const { id } = await kysely(tx)
      .insertInto('contributions')
      .values({
        kind,
        authorId: writer.id,
        eventId: eventId ?? parent?.eventId ?? null,
        parentId: parent?.id ?? null,
        ...place,
        text: draft.text,
        textKey,
        imageUrl: draft.imageUrl ?? null,
        category: draft.category ?? null,
        isVerified,
        createdAt: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const row = (await find(tx, undefined, kind, id))!;
    await count(tx, row, 1);
    if (rules.ofEvent) afterCommit(tx, deps.wakeCounts);
    await notify(deps, tx, row, parent, now);
    return row.id;
  }
  const request = {
    ...{ userId: writer.id, kind, key, fingerprint: fingerprintOf(draft) },
    ...(rules.ofEvent && { about: aboutEvent(draft.eventId!) }),
  };
  const work = () =>
    transaction(deps.pool, (tx) => {
      const now = deps.clock();
      return once(tx, { ...request, now }, () => insert(tx, now));
    });
  // The work of one account is serialized first, so that two requests of an account cannot deadlock.
  return deps.turns(`account ${writer.id}`, () => (thread ? deps.turns(`${thread.of} ${thread.id}`, work) : work()));
}
