import { sql } from 'kysely';
import type { Pool } from 'pg';
import type { z } from 'zod';
import type {
  ChatMessage,
  MuteBody,
  PostMessageBody,
  Reacted,
  Reaction,
  ReactionCounts,
} from '@beltway/contracts/realtime/chat';
import { excerptOf, type ReportedContent } from '@beltway/contracts/identity/moderation';
import { fingerprintOf } from '@beltway/event-store';
import { isReservedName } from '@beltway/contracts/common/reserved-names';
import { arrivals } from '@beltway/kit/arrivals';
import type { Caller } from '@beltway/kit/auth';
import { transaction } from '@beltway/kit/postgres';
import { arriving, badField, forbidden, HttpProblem, notFound } from '@beltway/kit/problems';
import { settleReports } from '@beltway/kit/service/moderated';
import { blocksAmong } from '../community/blocks.ts';
import { kysely } from '../db.ts';
import type { DatabaseClock } from './database-clock.ts';
import { personOf } from './decider.ts';
import type { RoomEvent, RoomSettings, Writer } from './events.ts';
import type { Guests } from './guests.ts';
import { publishChanges, publishMessages, publishSettings } from './hub/peers.ts';
import { roomInfo } from './hub/room-log.ts';
import type { Hub } from './hub/state.ts';
import { seenBy } from './hub/visibility.ts';
import type { ChatLimits } from './limits.ts';
import { messageIdOf } from './message-id.ts';
import { isModerator, personKey, type Person } from './people.ts';
import { systemMessageId } from './projection.ts';
import { messagesBySeq, newestChatEvent, writerOf, type RoomInfo } from './queries.ts';
import type { Rooms } from './stream.ts';

export interface ChatDeps {
  pool: Pool;
  rooms: Rooms;
  hub: Hub;
  guests: Guests;
  limits: ChatLimits;
  /** The database's clock. Times that several instances wrote are compared: for slow mode and for the end of mutes. */
  clock: Pick<DatabaseClock, 'now'>;
}

/**
 * A message's counts with one reaction more or less; zero counts are left out. SQL text, because the query builder has
 * no JSON functions.
 */
function countedBy(reaction: Reaction, by: 1 | -1) {
  const counted = sql`coalesce((counts->>${reaction}::text)::int, 0) + ${by}::int`;
  return sql`case when ${counted} > 0 then jsonb_set(counts, array[${reaction}::text], to_jsonb(${counted})) else counts - ${reaction}::text end`;
}

const messageRemoved = () => new HttpProblem(409, 'message-removed');

export type Chat = ReturnType<typeof openChat>;

/** Actions in rooms, the same by HTTP and by socket. Permissions: services/realtime/PRODUCT.md#chat */
export function openChat({ pool, rooms, hub, guests, limits, clock }: ChatDeps) {
  const now = () => clock.now().toISOString();

  async function roomOf(room: string): Promise<RoomInfo> {
    const info = await roomInfo(hub, room);
    if (!info) throw await missing(room);
    return info;
  }
  const mayArrive = arrivals({ newest: () => newestChatEvent(pool), clock: () => clock.now() });
  /** The error for a missing room: 503 while the message about its event may still arrive, else 404. */
  async function missing(room: string): Promise<HttpProblem> {
    const eventId = Number(room);
    const isComing = Number.isInteger(eventId) && (await mayArrive(eventId));
    return isComing ? arriving('chat-opens') : notFound('chat');
  }
  async function moderated(room: string, caller: Caller): Promise<RoomInfo> {
    const info = await roomOf(room);
    if (!isModerator(info, caller)) throw forbidden('moderates');
    return info;
  }

  function writerFor(person: Person, guestName: string | undefined): Writer {
    if (person.caller) return { kind: 'account', userId: person.caller.id, name: person.caller.name };
    if (guestName === undefined) throw badField('guestName', 'invalid.guest-name');
    if (isReservedName(guestName)) throw badField('guestName', 'invalid.name-reserved');
    return { kind: 'guest', guestId: person.guest.guestId, name: guestName };
  }

  /**
   * Appends a message, publishes it to the room and returns it. A repeat with the same id returns the same message. A
   * different body with the same id is refused.
   */
  async function post(room: string, person: Person, { id, message, guestName }: PostMessageBody): Promise<ChatMessage> {
    const info = await roomOf(room);
    const writer = writerFor(person, guestName);
    await limits.write(person);
    const moderates = isModerator(info, person.caller);
    if (person.guest) {
      if (await guests.isMuted(room, person.guest)) throw new HttpProblem(409, 'muted.network');
      // Only guests who may write are charged to the limit that guests share.
      await limits.writeAsGuest(info, person.guest);
      await guests.note(person.guest);
    }
    const { events, repeated } = await rooms.handle(
      room,
      {
        type: 'PostMessage',
        messageId: id.toLowerCase(),
        writer,
        text: message,
        isOrganizer: person.caller !== undefined && person.caller.id === info.ownerId,
        isModerator: moderates,
        now: now(),
      },
      {
        commandId: `say ${id.toLowerCase()}`,
        fingerprint: fingerprintOf({ room, person: personOf(writer), message, guestName: guestName ?? null }),
        ...(person.caller && { userId: person.caller.id }),
      },
    );
    const messages = messagesOf(room, events);
    if (!repeated) publishMessages(hub, room, messages);
    // The message may have been removed since, so a repeat returns its current state.
    const [current] = repeated ? await messagesBySeq(pool, room, [messages[0]!.seq]) : messages;
    return current ?? messages[0]!;
  }

  /** Handles a command and publishes the system messages that it causes. */
  async function handle(
    room: string,
    ...[command, context]: DropFirst<Parameters<Rooms['handle']>>
  ): Promise<RoomEvent[]> {
    const { events, repeated } = await rooms.handle(room, command, context);
    const messages = messagesOf(room, events);
    if (!repeated && messages.length > 0) publishMessages(hub, room, messages);
    return events;
  }

  async function messageAt(room: string, seq: number) {
    const message = await writerOf(pool, room, seq);
    if (!message) throw notFound('message');
    return message;
  }

  /** Messages as the reader sees them, with blocks read from the database (services/realtime/PRODUCT.md#chat). */
  async function asSeen(info: RoomInfo, caller: Caller | undefined, messages: ChatMessage[]): Promise<ChatMessage[]> {
    if (!caller || isModerator(info, caller)) return messages;
    const writers = new Set(messages.map(({ userId }) => userId).filter((id) => id !== null && id !== caller.id));
    if (writers.size === 0) return messages;
    return seenBy(new Set(await blocksAmong(pool, caller.id, [...writers] as number[])), messages);
  }

  const settle = (room: string, seq: number) => settleReports(pool, 'message', messageIdOf(room, seq));

  return {
    roomOf,
    missing,
    asSeen,
    moderated,
    post,
    handle,

    /** Removes a message's text for all readers. Only the writer and moderators may do this. */
    async remove(room: string, person: Person, seq: number): Promise<void> {
      const info = await roomOf(room);
      const message = await messageAt(room, seq);
      const { caller, guest } = person;
      const isOwn = caller ? caller.id === message.userId : guest.hasKey && guest.guestId === message.guestId;
      if (message.isSystem || (!isOwn && !isModerator(info, caller))) throw forbidden('message');
      if (!message.isRemoved)
        await handle(
          room,
          { type: 'RemoveMessage', seq, by: caller?.id ?? null, now: now() },
          { commandId: `remove message ${room} ${seq}`, ...(caller && { userId: caller.id }) },
        );
      // Done even if the message was already removed, because the process may have crashed between removal and
      // settling.
      await settle(room, seq);
      await publishChanges(hub, room, [seq]);
    },

    /**
     * Adds a reaction or withdraws it; a repeat changes nothing. Guests without a key share their reactions, so such a
     * guest cannot withdraw a reaction: 403.
     */
    async react(room: string, person: Person, seq: number, reaction: Reaction, isOn: boolean): Promise<Reacted> {
      const info = await roomOf(room);
      if (!isOn && person.guest?.hasKey === false) throw forbidden('reaction');
      await limits.react(person);
      const message = await messageAt(room, seq);
      const { caller } = person;
      if (caller && message.userId !== null && !isModerator(info, caller)) {
        const blocks = await blocksAmong(pool, caller.id, [message.userId]);
        if (blocks.length > 0) throw notFound('message');
      }
      if (message.isRemoved) throw messageRemoved();
      const { reactions, hasChanged } = await transaction(pool, async (tx) => {
        const db = kysely(tx);
        // Locks the row of the counts first, so that concurrent reactions to one message wait for each other.
        await db
          .insertInto('chatReactionCounts')
          .values({ room, seq, counts: '{}' })
          .onConflict((conflict) =>
            conflict
              .columns(['room', 'seq'])
              .doUpdateSet(({ ref }) => ({ changedAt: ref('chatReactionCounts.changedAt') })),
          )
          .execute();
        const given = { room, seq, reaction, person: personKey(person) };
        const rows = isOn
          ? await db
              .insertInto('chatReactions')
              .values(given)
              .onConflict((conflict) => conflict.doNothing())
              .returning('seq')
              .execute()
          : await db
              .deleteFrom('chatReactions')
              .where(({ and }) => and(given))
              .returning('seq')
              .execute();
        const hasChanged = rows.length > 0;
        const { counts } = hasChanged
          ? await db
              .updateTable('chatReactionCounts')
              .set({ changedAt: sql`clock_timestamp()`, counts: countedBy(reaction, isOn ? 1 : -1) })
              .where('room', '=', room)
              .where('seq', '=', seq)
              .returning('counts')
              .executeTakeFirstOrThrow()
          : await db
              .selectFrom('chatReactionCounts')
              .select('counts')
              .where('room', '=', room)
              .where('seq', '=', seq)
              .executeTakeFirstOrThrow();
        return { reactions: counts as ReactionCounts, hasChanged };
      });
      if (hasChanged) await publishChanges(hub, room, [seq]);
      return { seq, reactions };
    },

    /** The reported message. Throws 404, 409. */
    async reported(room: string, reporterId: number, seq: number): Promise<Omit<ReportedContent, 'since'>> {
      await roomOf(room);
      const message = await messageAt(room, seq);
      if (message.isSystem) throw new HttpProblem(409, 'system-message');
      if (message.userId === reporterId) throw new HttpProblem(409, 'own-message');
      if (message.isRemoved) throw messageRemoved();
      return {
        authorId: message.userId,
        excerpt: excerptOf(message.message),
        path: room === 'region' ? '/' : `/event/${room}`,
        version: 0,
      };
    },

    /** Applies an admin's decision about a report: keeps the message, or removes its text. Throws 404. */
    async decided(
      room: string,
      seq: number,
      { isRemoved, adminId }: { isRemoved: boolean; adminId: number },
    ): Promise<void> {
      const message = await messageAt(room, seq);
      if (isRemoved && !message.isRemoved && !message.isSystem)
        await handle(
          room,
          { type: 'RemoveMessage', seq, by: adminId, now: now() },
          { commandId: `remove message ${room} ${seq}`, userId: adminId },
        );
      await settle(room, seq);
      if (isRemoved) await publishChanges(hub, room, [seq]);
    },

    /** Settles the reports of a message and keeps the message. */
    async settleReports(room: string, caller: Caller, seq: number): Promise<void> {
      await moderated(room, caller);
      await messageAt(room, seq);
      await settle(room, seq);
    },

    /** Mutes the writer of a message in this room, for a time or permanently. */
    async mute(room: string, caller: Caller, { seq, minutes }: z.infer<typeof MuteBody>): Promise<void> {
      const info = await moderated(room, caller);
      const { userId, guestId } = await messageAt(room, seq);
      if (userId === null && guestId === null) throw new HttpProblem(409, 'nobody-to-mute');
      if (userId !== null && (userId === caller.id || userId === info.ownerId))
        throw new HttpProblem(409, 'cannot-mute-moderator');
      const at = clock.now();
      await handle(
        room,
        {
          type: 'MutePerson',
          person: userId === null ? `guest:${guestId}` : `account:${userId}`,
          seq,
          until: minutes === undefined ? null : new Date(at.getTime() + minutes * 60_000).toISOString(),
          by: caller.id,
          now: at.toISOString(),
        },
        { commandId: `mute ${crypto.randomUUID()}`, userId: caller.id },
      );
    },

    async unmute(room: string, caller: Caller, person: string): Promise<void> {
      await moderated(room, caller);
      await handle(
        room,
        { type: 'UnmutePerson', person, by: caller.id },
        { commandId: `unmute ${crypto.randomUUID()}`, userId: caller.id },
      );
    },

    async change(room: string, caller: Caller, settings: RoomSettings): Promise<RoomInfo> {
      await moderated(room, caller);
      await handle(
        room,
        { type: 'ChangeRoom', settings, by: caller.id, now: now() },
        { commandId: `change ${crypto.randomUUID()}`, userId: caller.id },
      );
      await publishSettings(hub, room);
      return roomOf(room);
    },
  };
}

type DropFirst<List extends unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;

/** The messages among the events of a room, in their public form. */
export function messagesOf(room: string, events: readonly RoomEvent[]): ChatMessage[] {
  const eventId = room === 'region' ? null : Number(room);
  return events.flatMap((event): ChatMessage[] => {
    if (event.type === 'SystemMessagePosted') {
      const { seq, text, at } = event.data;
      const said = { seq, id: systemMessageId(room, seq), eventId, userId: null, userName: '', message: text };
      return [{ ...said, ...PLAIN, isSystemMessage: true, createdAt: at }];
    }
    if (event.type !== 'MessagePosted') return [];
    const { seq, messageId: id, userId, userName, text: message, isOrganizer, at } = event.data;
    return [{ ...PLAIN, seq, id, eventId, userId, userName, message, isOrganizer, createdAt: at }];
  });
}

const PLAIN = { isSystemMessage: false, isOrganizer: false, isRemoved: false, reactions: {} };
