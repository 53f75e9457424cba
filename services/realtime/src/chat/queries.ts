import type { ChatMessage, Mute, ReactionCounts, ReportedMessages } from '@beltway/contracts/realtime/chat';
import { olderReason } from '@beltway/contracts/identity/moderation';
import type { RowOf } from '@beltway/kit/columns';
import type { Queryable } from '@beltway/kit/postgres';
import { openReports, reportsOf, type ModeratedDeps } from '@beltway/kit/service/moderated';
import { chatMessages } from './columns.ts';
import { messageIdOf } from './message-id.ts';

/** What a room is: its event, as the catalog tells, and what its moderators set. */
export interface RoomInfo {
  room: string;
  eventId: number | null;
  /** Null: the region's room, which admins moderate. */
  ownerId: number | null;
  name: string;
  description: string;
  isActive: boolean;
  slowModeSeconds: number;
  seq: number;
}

const REGION_NAME = 'DC area';
const SETTINGS = `coalesce(r.description, '') as description, coalesce(r.is_active, true) as "isActive",
  coalesce(r.slow_mode_seconds, 0) as "slowModeSeconds", coalesce(r.seq, 0) as seq`;
const REGION = `select 'region' as room, null::integer as "eventId", null::integer as "ownerId", coalesce(r.name, '${REGION_NAME}') as name,
    ${SETTINGS} from (select) one left join chat_rooms r on r.room = 'region'`;
const OF_EVENTS = `select e.event_id::text as room, e.event_id as "eventId", e.owner_id as "ownerId", coalesce(r.name, e.title) as name,
    ${SETTINGS} from chat_events e left join chat_rooms r on r.room = e.event_id::text where e.event_id = any($1::integer[])`;

const eventIdOf = (room: string): number | null => (room === 'region' ? null : Number(room));

/** Rooms by their ids; those that are not there are left out. */
export async function roomsBy(db: Queryable, rooms: readonly string[]): Promise<RoomInfo[]> {
  const eventIds = rooms.map(eventIdOf).filter((id) => id !== null);
  const asked = [
    ...(rooms.includes('region') ? [db.query<RoomInfo>({ name: 'chat-region', text: REGION, values: [] })] : []),
    ...(eventIds.length > 0
      ? [db.query<RoomInfo>({ name: 'chat-event-rooms', text: OF_EVENTS, values: [eventIds] })]
      : []),
  ];
  return (await Promise.all(asked)).flatMap((answer) => answer.rows);
}

type MessageRow = RowOf<typeof chatMessages> & { reactions: ReactionCounts | null };

const MESSAGES = `select ${chatMessages.select(undefined, 'm')}, c.counts as reactions
  from chat_messages m left join chat_reaction_counts c using (room, seq)`;
const LAST = `${MESSAGES} where m.room = $1 and m.seq < $2 order by m.seq desc limit $3`;
const AFTER = `${MESSAGES} where m.room = $1 and m.seq > $2 order by m.seq limit $3`;
const SOME = `${MESSAGES} where m.room = $1 and m.seq = any($2::integer[]) order by m.seq`;
const MAX_SEQ = 2_147_483_647;

export const messageOf = (row: MessageRow): ChatMessage => ({
  seq: row.seq,
  id: row.id,
  eventId: eventIdOf(row.room),
  userId: row.userId,
  userName: row.userName,
  message: row.message,
  isSystemMessage: row.isSystem,
  isOrganiser: row.isOrganiser,
  isRemoved: row.removedAt !== null,
  reactions: row.removedAt === null ? (row.reactions ?? {}) : {},
  createdAt: row.createdAt.toISOString(),
});

const list = async (db: Queryable, name: string, text: string, values: unknown[]): Promise<ChatMessage[]> =>
  (await db.query<MessageRow>({ name, text, values })).rows.map(messageOf);

/** A message, and whether somebody may have seen it otherwise: it was removed, or had reactions once. */
export interface Known {
  message: ChatMessage;
  hasChanged: boolean;
}

/** As `messagesBefore`. */
export async function knownBefore(
  db: Queryable,
  room: string,
  before: number | undefined,
  limit: number,
): Promise<Known[]> {
  const values = [room, Math.min(before ?? MAX_SEQ, MAX_SEQ), limit];
  const { rows } = await db.query<MessageRow>({ name: 'chat-before', text: LAST, values });
  // Taken back, counts stay as none.
  const known = (row: MessageRow) => ({
    message: messageOf(row),
    hasChanged: row.removedAt !== null || row.reactions !== null,
  });
  return rows.map(known).reverse();
}

/** The last ones before `before`, oldest first. */
export const messagesBefore = async (...asked: Parameters<typeof knownBefore>): Promise<ChatMessage[]> =>
  (await knownBefore(...asked)).map(({ message }) => message);

export const messagesAfter = (db: Queryable, room: string, after: number, limit: number) =>
  list(db, 'chat-after', AFTER, [room, Math.min(after, MAX_SEQ), limit]);

export const messagesBySeq = (db: Queryable, room: string, seqs: readonly number[]) =>
  list(db, 'chat-some', SOME, [room, seqs]);

interface Written {
  userId: number | null;
  guestId: string | null;
  isSystem: boolean;
  isRemoved: boolean;
  message: string;
}

/** Who wrote a message, and what. */
export async function writerOf(db: Queryable, room: string, seq: number): Promise<Written | undefined> {
  const { rows } = await db.query<Written>(
    `select user_id as "userId", guest_id as "guestId", is_system as "isSystem", removed_at is not null as "isRemoved", message
     from chat_messages where room = $1 and seq = $2`,
    [room, seq],
  );
  return rows[0];
}

/** Messages of these rooms that were removed or reacted to since, and when, as the database writes it. */
export async function changedSince(
  db: Queryable,
  rooms: readonly string[],
  since: Date,
): Promise<Array<{ room: string; seq: number; changedAt: string }>> {
  const { rows } = await db.query<{ room: string; seq: number; changedAt: string }>({
    name: 'chat-changed',
    text: `select room, seq, max(at)::text as "changedAt" from (
        select room, seq, changed_at as at from chat_reaction_counts where changed_at > $2 and room = any($1::text[])
        union all select room, seq, removed_at from chat_messages where removed_at > $2 and room = any($1::text[])
      ) changed group by room, seq limit 10000`,
    values: [rooms, since],
  });
  return rows;
}

/** GET /api/chat/{room}/mutes, the latest first. */
export async function mutesOf(db: Queryable, room: string): Promise<Mute[]> {
  const { rows } = await db.query<{ id: string; userName: string | null; until: Date | null; at: Date }>(
    `select c.person as id, m.user_name as "userName", c.until, c.muted_at as at
     from chat_mutes c left join chat_messages m using (room, seq)
     where c.room = $1 and (c.until is null or c.until > now()) order by c.muted_at desc limit 1000`,
    [room],
  );
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
 * Messages with reports that no moderator settled. More than `limit` only if the last ones are of one millisecond: `before` does not
 * distinguish them. `ownerId`: only rooms of this account's events.
 */
export async function reportedMessages(
  { pool, identity }: Pick<ModeratedDeps, 'pool' | 'identity'>,
  { ownerId, before, limit }: { ownerId: number | null; before?: string | undefined; limit: number },
): Promise<ReportedMessages> {
  const { rows } = await pool.query<MessageRow & { roomName: string }>(
    `select ${chatMessages.select(undefined, 'm')}, c.counts as reactions, coalesce(r.name, e.title, '${REGION_NAME}') as "roomName"
      from (select split_part(content_id, '.', 1) as room, split_part(content_id, '.', 2)::integer as seq
        from (${openReports('message')}) o) open
      join chat_messages m using (room, seq)
      left join chat_rooms r on r.room = m.room
      left join chat_events e on e.event_id = case when m.room ~ '^[0-9]{1,10}$' then m.room::bigint end
      left join chat_reaction_counts c on c.room = m.room and c.seq = m.seq
      where m.removed_at is null and ($1::integer is null or e.owner_id = $1) and ($2::timestamptz is null or m.created_at < $2)
      order by m.created_at desc fetch first ($3) rows with ties`,
    [ownerId, before ?? null, limit],
  );
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

/** The highest id of an event that is known here; 0 when none is. */
export async function newestChatEvent(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ id: number | null }>('select max(event_id) as id from chat_events');
  return rows[0]?.id ?? 0;
}
