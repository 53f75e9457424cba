import type { Photo } from '@beltway/contracts/media/gallery';
import type { Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import { SELECT, toPhoto, type ItemRow } from '../item/queries.ts';

interface Page {
  eventId?: number | undefined;
  /** Only photos with ids smaller than this. */
  cursor?: number | undefined;
  limit: number;
}

// Plain SQL, because all queries of items share `SELECT`. Each half of the union reads an index in order.
const LATEST = `${SELECT} where i.kind = 'photo' and i.id in (
    (select id from items where kind = 'photo' and status = 'shown' and ($2::integer is null or event_id = $2) and id < $3
       order by id desc limit $4)
    union
    (select id from items where kind = 'photo' and user_id = $1 and ($2::integer is null or event_id = $2) and id < $3
       order by id desc limit $4))
  order by i.id desc limit $4`;
const MAX_ID = 2_147_483_647;

/**
 * Photos that the reader may see, newest first: verified photos and the reader's own photos. `nextCursor` is null at
 * the end of the list.
 */
export async function photosFor(
  db: Queryable,
  readerId: number,
  { eventId, cursor = MAX_ID, limit }: Page,
): Promise<{ items: Photo[]; nextCursor: string | null }> {
  const { rows } = await db.query<ItemRow>(LATEST, [readerId, eventId ?? null, cursor, limit + 1]);
  const items = rows.slice(0, limit).map((row) => toPhoto(row, readerId));
  return { items, nextCursor: rows.length > limit ? String(items.at(-1)!.id) : null };
}

/** Events with photos that the reader may see. The event with the latest photo comes first. */
export const eventsWithPhotos = (db: Queryable, readerId: number) =>
  kysely(db)
    .selectFrom('items as i')
    .innerJoin('galleryEvents as e', 'e.eventId', 'i.eventId')
    .select(['e.eventId', 'e.title', sql<number>`count(*)::integer`.as('photos')])
    // Literals and no parameters, so that the partial index of shown photos is used.
    .where('i.kind', '=', sql.lit('photo'))
    .where(({ eb, or }) => or([eb('i.status', '=', sql.lit('shown')), eb('i.userId', '=', readerId)]))
    .where('e.title', '<>', '')
    .groupBy(['e.eventId', 'e.title'])
    .orderBy(({ fn }) => fn.max('i.id'), 'desc')
    .limit(200)
    .execute();
