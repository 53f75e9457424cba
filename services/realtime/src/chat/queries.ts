import type { ChatMessage, Mute, ReactionCounts, ReportedMessages } from '@beltway/contracts/realtime/chat';
import { olderReason } from '@beltway/contracts/identity/moderation';
import { fieldsOf, type RowOf } from '@beltway/kit/columns';
import { anyOf } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import { openReports, reportsOf, type ModeratedDeps } from '@beltway/kit/service/moderated';
import { sql, type ExpressionBuilder, type Nullable } from 'kysely';
import { kysely } from '../db.ts';
import { chatMessages, type Tables } from '../generated/tables.ts';
import { messageIdOf } from './message-id.ts';

/** A room: the event from the catalog, and the settings that moderators chose. */
export interface RoomInfo {
  room: string;
  eventId: number | null;
  /** null for the region's room, which only admins moderate. */
  ownerId: number | null;
  name: string;
  description: string;
  isActive: boolean;
  slowModeSeconds: number;
  seq: number;
}

const REGION_NAME = 'DC area';
const MAX_SEQ = 2_147_483_647;

const eventIdOf = (room: string): number | null => (room === 'region' ? null : Number(room));

/** The settings that moderators chose for a room `r`, which may have no row yet. */
const settings = ({ fn, val }: ExpressionBuilder<Tables & { r: Nullable<Tables['chatRooms']> }, 'r'>) =>
  [
    fn.coalesce('r.description', val('')).as('description'),
    fn.coalesce('r.isActive', val(true)).as('isActive'),
    fn.coalesce('r.slowModeSeconds', val(0)).as('slowModeSeconds'),
    fn.coalesce('r.seq', val(0)).as('seq'),
  ] as const;

/** The region's room, which has no row before its first message. */
async function region(db: Queryable): Promise<RoomInfo> {
  const row = await kysely(db)
    .selectFrom('chatRooms as r')
    .select((eb) => [eb.fn.coalesce('r.name', eb.val(REGION_NAME)).as('name'), ...settings(eb)])
    .where('r.room', '=', 'region')
    .executeTakeFirst();
  const known = row ?? { name: REGION_NAME, description: '', isActive: true, slowModeSeconds: 0, seq: 0 };
  return { room: 'region', eventId: null, ownerId: null, ...known };
}

const ofEvents = (db: Queryable, eventIds: readonly number[]): Promise<RoomInfo[]> =>
  kysely(db)
    .selectFrom('chatEvents as e')
    .leftJoin('chatRooms as r', (join) => join.on('r.room', '=', ({ cast }) => cast('e.eventId', 'text')))
    .select((eb) => [
      eb.cast<string>('e.eventId', 'text').as('room'),
      'e.eventId',
      'e.ownerId',
      eb.fn.coalesce('r.name', 'e.title').as('name'),
      ...settings(eb),
    ])
    .where('e.eventId', '=', anyOf(eventIds))
    .execute();

/** Rooms by id; unknown rooms are left out. */
export async function roomsBy(db: Queryable, rooms: readonly string[]): Promise<RoomInfo[]> {
  const eventIds = rooms.map(eventIdOf).filter((id) => id !== null);
  const [ofRegion, others] = await Promise.all([
    rooms.includes('region') ? region(db) : undefined,
    eventIds.length > 0 ? ofEvents(db, eventIds) : [],
  ]);
  return ofRegion ? [ofRegion, ...others] : others;
}

type MessageRow = RowOf<typeof chatMessages> & { reactions: unknown };

// SQL text, because these are the reads that the hub runs most often. Each read is a named prepared statement, so it is
// not built again for each page that joins.
const MESSAGES = `select ${chatMessages.select(undefined, 'm')}, c.counts as reactions
  from chat_messages m left join chat_reaction_counts c using (room, seq)`;
const READS = {
  'chat-before': `${MESSAGES} where m.room = $1 and m.seq < $2 order by m.seq desc limit $3`,
  'chat-after': `${MESSAGES} where m.room = $1 and m.seq > $2 order by m.seq limit $3`,
  'chat-some': `${MESSAGES} where m.room = $1 and m.seq = any($2::integer[]) order by m.seq`,
  'chat-changed': `select room, seq, max(at)::text as "changedAt" from (
      select room, seq, changed_at as at from chat_reaction_counts where changed_at > $2 and room = any($1::text[])
      union all select room, seq, removed_at from chat_messages where removed_at > $2 and room = any($1::text[])
    ) changed group by room, seq limit 10000`,
};
const read = async <Row extends object = MessageRow>(db: Queryable, name: keyof typeof READS, values: unknown[]) =>
  (await db.query<Row>({ name, text: READS[name], values })).rows;

export const messageOf = (row: MessageRow): ChatMessage => ({
  seq: row.seq,
  id: row.id,
  eventId: eventIdOf(row.room),
  userId: row.userId,
  userName: row.userName,
  message: row.message,
  isSystemMessage: row.isSystem,
  isOrganizer: row.isOrganizer,
  isRemoved: row.removedAt !== null,
  reactions: row.removedAt === null ? ((row.reactions ?? {}) as ReactionCounts) : {},
  createdAt: row.createdAt.toISOString(),
});

/** A message, and whether it was removed or got reactions since a reader may have received it. */
export interface Known {
  message: ChatMessage;
  hasChanged: boolean;
}

/** Same parameters as `messagesBefore`. */
export async function knownBefore(
  db: Queryable,
  room: string,
  before: number | undefined,
  limit: number,
): Promise<Known[]> {
  const rows = await read(db, 'chat-before', [room, Math.min(before ?? MAX_SEQ, MAX_SEQ), limit]);
  // Withdrawn reactions leave a row without counts.
  const known = (row: MessageRow) => ({
    message: messageOf(row),
    hasChanged: row.removedAt !== null || row.reactions !== null,
  });
  return rows.map(known).reverse();
}

/** The last messages before `before`, oldest first. */
export const messagesBefore = async (...asked: Parameters<typeof knownBefore>): Promise<ChatMessage[]> =>
  (await knownBefore(...asked)).map(({ message }) => message);

export const messagesAfter = async (db: Queryable, room: string, after: number, limit: number) =>
  (await read(db, 'chat-after', [room, Math.min(after, MAX_SEQ), limit])).map(messageOf);

export const messagesBySeq = async (db: Queryable, room: string, seqs: readonly number[]) =>
  (await read(db, 'chat-some', [room, seqs])).map(messageOf);

/** The writer and the text of a message. */
export const writerOf = (db: Queryable, room: string, seq: number) =>
  kysely(db)
    .selectFrom('chatMessages')
    .select(['userId', 'guestId', 'isSystem', 'message'])
    .select(({ eb }) => eb('removedAt', 'is not', null).as('isRemoved'))
    .where('room', '=', room)
    .where('seq', '=', seq)
    .executeTakeFirst();

/**
 * Messages of these rooms that were removed or got reactions after `since`, with the time as the database writes it.
 */
export const changedSince = (db: Queryable, rooms: readonly string[], since: Date) =>
  read<{ room: string; seq: number; changedAt: string }>(db, 'chat-changed', [rooms, since]);

/** Whether a mute that ends at this time still applies. */
export const lasts = (until: string) => sql<boolean>`(${sql.ref(until)} is null or ${sql.ref(until)} > now())`;

/** GET /api/chat/{room}/mutes, the latest first. */
export async function mutesOf(db: Queryable, room: string): Promise<Mute[]> {
  const rows = await kysely(db)
    .selectFrom('chatMutes as c')
    .leftJoin('chatMessages as m', (join) => join.onRef('m.room', '=', 'c.room').onRef('m.seq', '=', 'c.seq'))
    .select(['c.person as id', 'm.userName', 'c.until', 'c.mutedAt as at'])
    .where('c.room', '=', room)
    .where(lasts('c.until'))
    .orderBy('c.mutedAt', 'desc')
    .limit(1_000)
    .execute();
  return rows.map(({ id, userName, until, at }) => {
    const isGuest = id.startsWith('guest:');
    return {
      id,
      userName: userName || (isGuest ? 'Guest' : 'Account'),
      isGuest,
      until: until?.toISOString() ?? null,
      at: at.toISOString(),
    };
  });
}

/**
 * Messages with reports that no moderator settled. Returns more than `limit` only if the last messages are of the same
 * millisecond, because `before` does not distinguish messages within a millisecond. `ownerId`: only rooms of this
 * account's events.
 */
export async function reportedMessages(
  { pool, identity }: Pick<ModeratedDeps, 'pool' | 'identity'>,
  { ownerId, before, limit }: { ownerId: number | null; before?: string | undefined; limit: number },
): Promise<ReportedMessages> {
  const open = kysely(pool)
    .selectFrom(sql<{ contentId: string }>`(${sql.raw(openReports('message'))})`.as('o'))
    .select(({ cast, fn, val }) => [
      fn<string>('split_part', ['contentId', val('.'), val(1)]).as('room'),
      cast<number>(fn('split_part', ['contentId', val('.'), val(2)]), 'integer').as('seq'),
    ]);
  const rows = await kysely(pool)
    .selectFrom('chatMessages as m')
    .leftJoin('chatReactionCounts as c', (join) => join.onRef('c.room', '=', 'm.room').onRef('c.seq', '=', 'm.seq'))
    .innerJoin(open.as('open'), (join) => join.onRef('open.room', '=', 'm.room').onRef('open.seq', '=', 'm.seq'))
    .leftJoin('chatRooms as r', 'r.room', 'm.room')
    // The region's room has no event id.
    .leftJoin('chatEvents as e', (join) =>
      join.on('e.eventId', '=', sql<number>`case when m.room ~ '^[0-9]{1,10}$' then m.room::bigint end`),
    )
    .select(fieldsOf(chatMessages.columns).map((field) => `m.${field}` as const))
    .select(({ fn, val }) => [
      'c.counts as reactions',
      fn.coalesce('r.name', 'e.title', val(REGION_NAME)).as('roomName'),
    ])
    .where('m.removedAt', 'is', null)
    .$if(ownerId !== null, (of) => of.where('e.ownerId', '=', ownerId))
    .$if(before !== undefined, (of) => of.where('m.createdAt', '<', before as never))
    .orderBy('m.createdAt', 'desc')
    .fetch(limit, 'with ties')
    .execute();
  const idOf = ({ room, seq }: MessageRow) => messageIdOf(room, seq);
  const reports = await reportsOf({ pool, identity }, 'message', rows.map(idOf));
  const items = rows.map(({ roomName, ...row }) => ({
    room: row.room,
    roomName,
    message: messageOf(row),
    reports: (reports.get(idOf(row)) ?? [])
      .filter(({ isSettled }) => !isSettled)
      .map(({ reason, note, at }) => ({ reason: olderReason(reason), note, message: row.message, at })),
  }));
  return { items, nextBefore: rows.length < limit ? null : rows.at(-1)!.createdAt.toISOString() };
}

/** The highest known event id; 0 when there is none. */
export async function newestChatEvent(db: Queryable): Promise<number> {
  const newest = await kysely(db)
    .selectFrom('chatEvents')
    .select(({ fn }) => fn.max('eventId').as('id'))
    .executeTakeFirst();
  return newest?.id ?? 0;
}
