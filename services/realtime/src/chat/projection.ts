import { uuidFrom, type Projection, type Recorded } from '@beltway/event-store';
import { chatMessages } from './columns.ts';
import type { RoomEvent } from './events.ts';

/** The room's own messages have no writer who gave them an id. */
export const systemMessageId = (room: string, seq: number): string => uuidFrom(`system message ${room} ${seq}`);

const POSTED = chatMessages.insertMany(
  [
    ...(['seq', 'version', 'id', 'userId', 'guestId', 'userName', 'message'] as const),
    ...(['isSystem', 'isOrganiser', 'createdAt'] as const),
  ],
  { same: ['room'] },
);
const AT_SEQ = `insert into chat_rooms as r (room, seq, is_active, slow_mode_seconds) values ($1, $2, true, 0)
  on conflict (room) do update set seq = greatest(r.seq, excluded.seq)`;
const CHANGED = `insert into chat_rooms as r (room, seq, name, description, is_active, slow_mode_seconds)
  values ($1, 0, $2, $3, coalesce($4, true), coalesce($5, 0))
  on conflict (room) do update set name = coalesce($2, r.name), description = coalesce($3, r.description),
    is_active = coalesce($4, r.is_active), slow_mode_seconds = coalesce($5, r.slow_mode_seconds)`;

/** The words leave the stored event too, and what could be compared with them. Done again it changes nothing. */
const erased = (where: string) => `update events e set fingerprint = null,
    data = (data::jsonb || '{"text": "", "userName": ""}')::json
  from chat_messages m where e.stream = 'room-' || $1 and e.version = m.version and m.room = $1 and not m.is_system and ${where}`;
const REMOVE = [
  erased('m.seq = $2 and $3::timestamptz is not null'),
  `update chat_messages set message = '', user_name = '', removed_at = coalesce(removed_at, $3) where room = $1 and seq = $2`,
];
const ERASE = [
  erased('m.user_id = $2 and $3::timestamptz is not null'),
  `update chat_messages set message = '', user_name = '', user_id = null, removed_at = coalesce(removed_at, $3)
   where room = $1 and user_id = $2`,
];
const MUTE = `insert into chat_mutes (room, person, seq, until, muted_at) values ($1, $2, $3, $4, $5)
  on conflict (room, person) do update set seq = excluded.seq, until = excluded.until, muted_at = excluded.muted_at`;

const UNMUTE = 'delete from chat_mutes where room = $1 and person = $2';

type Posted = Extract<Recorded<RoomEvent>, { type: 'MessagePosted' | 'SystemMessagePosted' }>;
const isPosted = (event: Recorded<RoomEvent>): event is Posted =>
  event.type === 'MessagePosted' || event.type === 'SystemMessagePosted';

/** Messages, settings and mutes of rooms as they are now. Of a busy room many messages come at once: they are one statement. */
export const projectRooms: Projection<RoomEvent> = (sql, group) => {
  let waiting: Posted[] = [];
  const write = () => {
    const last = waiting.at(-1);
    if (!last) return;
    const of = {
      room: ({ id }: Posted) => id,
      seq: ({ data }: Posted) => data.seq,
      version: ({ version }: Posted) => version,
      id: ({ id, ...event }: Posted) =>
        event.type === 'MessagePosted' ? event.data.messageId : systemMessageId(id, event.data.seq),
      userId: ({ type, data }: Posted) => (type === 'MessagePosted' ? data.userId : null),
      guestId: ({ type, data }: Posted) => (type === 'MessagePosted' ? data.guestId : null),
      userName: ({ type, data }: Posted) => (type === 'MessagePosted' ? data.userName : ''),
      message: ({ data }: Posted) => data.text,
      isSystem: ({ type }: Posted) => type === 'SystemMessagePosted',
      isOrganiser: ({ type, data }: Posted) => type === 'MessagePosted' && data.isOrganiser,
      createdAt: ({ data }: Posted) => data.at,
    };
    sql.query(POSTED.text, POSTED.values(waiting, of));
    sql.query(AT_SEQ, [last.id, last.data.seq]);
    waiting = [];
  };
  for (const event of group) {
    if (isPosted(event)) {
      waiting.push(event);
      continue;
    }
    write();
    one(event);
  }
  write();

  function one({ id: room, type, data }: Exclude<Recorded<RoomEvent>, Posted>): void {
    switch (type) {
      case 'MessageRemoved':
        for (const statement of REMOVE) sql.query(statement, [room, data.seq, data.at]);
        return;
      case 'PersonErased':
        for (const statement of ERASE) sql.query(statement, [room, data.userId, data.at]);
        return sql.query(UNMUTE, [room, `account:${data.userId}`]);
      case 'PersonMuted':
        return sql.query(MUTE, [room, data.person, data.seq, data.until, data.at]);
      case 'PersonUnmuted':
        return sql.query(UNMUTE, [room, data.person]);
      case 'RoomChanged': {
        const { name = null, description = null, isActive = null, slowModeSeconds = null } = data;
        return sql.query(CHANGED, [room, name, description, isActive, slowModeSeconds]);
      }
      case 'EventStatusHeard':
        return; // the message that comes with it is what is shown
    }
  }
};

export const roomTables = ['chat_rooms', 'chat_messages', 'chat_mutes'];
