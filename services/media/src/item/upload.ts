import type { PlainText } from '@beltway/contracts/problems/texts';
import type { Pool } from 'pg';
import type { Context } from '@beltway/event-store';
import { once, secondsUntilAllowed } from '@beltway/kit/once';
import { HttpProblem, notFound } from '@beltway/kit/problems';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { kysely } from '../db.ts';
import type { UploadedPhoto, UploadedVideo, VerifiedBy } from './events.ts';
import type { Items } from './stream.ts';
import { ITEMS, type ItemKind } from './kinds.ts';
import { itemById, type ItemRow } from './queries.ts';

interface Reservation {
  userId: number;
  /** The client's idempotency key: a repeated request with this key is the same upload. */
  key: string | undefined;
  fingerprint: string;
  /** Runs in the same transaction, even for a repeated request. */
  also?: (tx: Queryable, id: number) => Promise<void>;
}

const HOUR_MS = 3_600_000;

/**
 * Reserves the id of a photo or video: a new id, or the id of an earlier request with the same key. Throws if the key
 * belongs to another upload. Throws 429.
 */
export const reserveItem = (
  pool: Pool,
  kind: ItemKind,
  { userId, key, fingerprint, also }: Reservation,
): Promise<number> =>
  transaction(pool, async (tx) => {
    const now = new Date();
    const id = await once(tx, { userId, kind, key, fingerprint, now }, async () => {
      const limit = { userId, kinds: [kind], max: ITEMS[kind].uploadsPerHour, ms: HOUR_MS };
      if ((await secondsUntilAllowed(tx, limit, now)) > 0)
        throw new HttpProblem<PlainText>(429, ITEMS[kind].tooManyInAnHour, {
          retryAfter: 600,
        });
      const next = await kysely(tx)
        .selectNoFrom(({ cast, fn, val }) => cast<number>(fn('nextval', [val(`${kind}_ids`)]), 'integer').as('id'))
        .executeTakeFirstOrThrow();
      return next.id;
    });
    await also?.(tx, id);
    return id;
  });

interface Words {
  title: string;
  description?: string | undefined;
  /** The name of the uploader's account. */
  uploadedBy?: string;
}

/**
 * Stores the texts of an upload, then appends its event. A crash in between leaves only rows that the sweep deletes.
 * The files must already be stored.
 */
export async function publishItem(
  { pool, items }: { pool: Pool; items: Items },
  kind: ItemKind,
  {
    id,
    item,
    words,
    verifiedBy = null,
  }: {
    id: number;
    item: UploadedPhoto | UploadedVideo;
    words: Words;
    verifiedBy?: VerifiedBy | null;
  },
  context: Pick<Context, 'correlationId'>,
): Promise<void> {
  const { title, description = null, uploadedBy = null } = words;
  await kysely(pool)
    .insertInto('itemTexts')
    .values(({ fn }) => ({ kind, id, title, description, uploadedBy, writtenAt: fn<Date>('now') }))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await items[kind].handle(
    id,
    { type: 'UploadItem', item, verifiedBy },
    { ...context, commandId: `upload-${kind}\0${id}`, userId: item.uploaderId },
  );
}

/** Returns an upload to its uploader. Throws 404 for a repeated request after the upload was deleted. */
export async function uploadedItem(pool: Pool, kind: ItemKind, id: number, uploaderId: number): Promise<ItemRow> {
  const uploaded = await itemById(pool, kind, id, uploaderId);
  if (!uploaded) throw notFound(kind);
  return uploaded;
}
