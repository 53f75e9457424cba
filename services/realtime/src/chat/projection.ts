import { writerTo } from '@beltway/kit/columns';
import { uuidFrom, type Projection, type Recorded } from '@beltway/event-store';
import { chatMessages, chatMutes, chatRooms } from '../generated/tables.ts';
import type { RoomEvent } from './events.ts';

/** The id of a system message. Other ids are chosen by the writer, and a system message has none. */
export const systemMessageId = (room: string, seq: number): string => uuidFrom(`system message ${room} ${seq}`);

const POSTED = chatMessages.insertMany(
  [
    ...(['seq', 'version', 'id', 'userId', 'guestId', 'userName', 'message'] as const),
    ...(['isSystem', 'isOrganizer', 'createdAt'] as const),
  ],
  { same: ['room'] },
);
const AT_SEQ = chatRooms.insert(
  ['room', 'seq', 'isActive', 'slowModeSeconds'],
  'on conflict (room) do update set seq = greatest(chat_rooms.seq, excluded.seq)',
);
// SQL text, because null leaves a setting unchanged in an existing row, and means the default in a new row.
const CHANGED = `insert into chat_rooms as r (room, seq, name, description, is_active, slow_mode_seconds)
  values ($1, 0, $2, $3, coalesce($4, true), coalesce($5, 0))
  on conflict (room) do update set name = coalesce($2, r.name), description = coalesce($3, r.description),
    is_active = coalesce($4, r.is_active), slow_mode_seconds = coalesce($5, r.slow_mode_seconds)`;

/**
 * Also removes the text from the stored event, and the fingerprint with which the text could be guessed. Idempotent.
 * SQL text, because the statement changes the log itself, which is not a table of the service.
 */
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
const MUTE = chatMutes.insert(
  ['room', 'person', 'seq', 'until', 'mutedAt'],
  chatMutes.onConflict(['room', 'person'], ['seq', 'until', 'mutedAt']),
);
const UNMUTE = chatMutes.delete(['room', 'person']);

type Posted = Extract<Recorded<RoomEvent>, { type: 'MessagePosted' | 'SystemMessagePosted' }>;
const isPosted = (event: Recorded<RoomEvent>): event is Posted =>
  event.type === 'MessagePosted' || event.type === 'SystemMessagePosted';

/** Current messages, settings and mutes of rooms. Consecutive messages of a busy room are written in one statement. */
export const projectRooms: Projection<RoomEvent> = (sql, group) => {
  const run = writerTo(sql);
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
      isOrganizer: ({ type, data }: Posted) => type === 'MessagePosted' && data.isOrganizer,
      createdAt: ({ data }: Posted) => data.at,
    };
    sql.query(POSTED.text, POSTED.values(waiting, of));
    run(AT_SEQ, { room: last.id, seq: last.data.seq, isActive: true, slowModeSeconds: 0 });
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
    const eraseBy = (statements: string[], key: number, at: string) => {
      for (const statement of statements) sql.query(statement, [room, key, at]);
    };
    switch (type) {
      case 'MessageRemoved':
        return eraseBy(REMOVE, data.seq, data.at);
      case 'PersonErased':
        eraseBy(ERASE, data.userId, data.at);
        return run(UNMUTE, { room, person: `account:${data.userId}` });
      case 'PersonMuted':
        return run(MUTE, { room, person: data.person, seq: data.seq, until: data.until, mutedAt: data.at });
      case 'PersonUnmuted':
        return run(UNMUTE, { room, person: data.person });
      case 'RoomChanged': {
        const { name = null, description = null, isActive = null, slowModeSeconds = null } = data;
        return sql.query(CHANGED, [room, name, description, isActive, slowModeSeconds]);
      }
      case 'EventStatusHeard':
        return; // readers get the system message that announces it
    }
  }
};

export const roomTables = ['chat_rooms', 'chat_messages', 'chat_mutes'];
