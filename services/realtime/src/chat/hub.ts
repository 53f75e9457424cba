import type { Pool } from 'pg';
import { z } from 'zod';
import {
  ChatMessage,
  FIRST_MESSAGES,
  type ChatServerMessages,
  type MessagesQuery,
} from '@beltway/contracts/realtime/chat';
import type { Logger } from '@beltway/kit/logger';
import type { Redis } from '@beltway/kit/redis';
import type { Caller } from '@beltway/kit/auth';
import type { RealtimeSocket } from '../sockets.ts';
import type { DatabaseClock } from './database-clock.ts';
import { gather } from './gather.ts';
import { hasDrained, prepare, send, type Prepared } from './frames.ts';
import { hiddenPeople, seenBy, type Hidden, type HiddenPeople } from './hidden.ts';
import { isModerator } from './people.ts';
import {
  changedSince,
  knownBefore,
  messagesAfter,
  messagesBefore,
  messagesBySeq,
  roomsBy,
  type Known,
  type RoomInfo,
} from './queries.ts';

/** Messages of a room that are kept in memory while somebody is in it. */
const RING = 200;
/** A busy room's messages are gathered for so long; a room is busy with more messages than this in a second. */
const GATHER_MS = 50;
const QUIET_PER_SECOND = 40;
/** Messages that are read at once to fill a gap, and sent at once to a page that was skipped. */
const PAGE = 100;
/** How often a look at the database finds what the other instances did not tell: with Redis, and without. */
const LOOK_MS = 1_000;
const LOOK_ALONE_MS = 250;
/** How far a look goes back for what changed: an append may become visible later than its own time. */
const BACK_MS = 10_000;
/** Changed messages that are kept for a page which takes nothing: of more, those with the highest numbers. */
const MAX_MISSED = 1_000;
/** How often pages that were skipped are looked at. */
const RESUME_MS = 100;
/** Messages that wait for those ahead of them, at most; beyond, they are read when they are next. */
const MAX_EARLY = 1_000;
const CHANNEL = 'chat';

interface Member {
  socket: RealtimeSocket;
  /** The last message it was sent. */
  sent: number;
  /** It takes nothing just now. */
  isBehind: boolean;
  /** Messages that changed while it was behind or its answer was made, as they are now. */
  missed: Map<number, ChatMessage>;
  /** What else was told meanwhile: the last of each event. */
  untold: Map<string, Prepared>;
  /** Its answer is being made, or it is being read whom it does not see. */
  isJoining: boolean;
  /** The account with whose eyes it reads. Undefined: a guest, or who moderates the room; they see everybody. */
  reader: number | undefined;
}

interface HotRoom {
  info: RoomInfo;
  /** Of what pages are told, the last number; all before are told, in their order. */
  last: number;
  /** The last messages, in their order. */
  ring: ChatMessage[];
  /** Messages that came before the one ahead of them, as they were read last, or else as they were posted. */
  early: Map<number, ChatMessage>;
  /** To be sent with the next flush. */
  outbox: ChatMessage[];
  flushedAt: number;
  /** Until then it gathers even when it is quiet: as long as its last flush took. */
  restsUntil: number;
  pace: Pace;
  timer: ReturnType<typeof setTimeout> | undefined;
  members: Map<RealtimeSocket, Member>;
  /** Of the ring, those that somebody may have seen otherwise: removed, or with other reactions. */
  touched: Set<number>;
  /** There is something that is not read yet after `last`. */
  hasMore: boolean;
  /** Changed messages that are to be read; with when the database says they changed, if a look found them. */
  toRead: Map<number, string | undefined>;
  /** Reads one after the other, so that what is read later is newer. */
  reading: Promise<void>;
  isReading: boolean;
  /** Its last messages were read. */
  isLoaded: boolean;
}

/** What instances tell each other. */
const Told = z.object({
  from: z.string(),
  room: z.string(),
  messages: z.array(ChatMessage).optional(),
  /** Numbers of messages that changed. */
  changed: z.array(z.number()).optional(),
});
type Told = z.infer<typeof Told>;

export interface Hub {
  /** Undefined: there is none. */
  room(room: string): Promise<RoomInfo | undefined>;
  /** Those right after `after`, right before `before`, or the last ones; from memory where it has them. */
  messages(room: string, query: z.infer<typeof MessagesQuery>): Promise<ChatMessage[]>;
  /** The socket is told what happens from here on. Answers the messages up to then. */
  join(
    socket: RealtimeSocket,
    room: string,
    after: number | undefined,
    /** Of the message `after`: when it has another one, the page starts anew. */
    afterId?: string,
    /** Who reads; undefined: a guest. */
    caller?: Caller,
  ): Promise<JoinedRoom | undefined>;
  /** The page has other eyes from now on: it is told what they do not see of what it was sent, or see again. */
  become(socket: RealtimeSocket, room: string, caller: Caller | undefined): Promise<void>;
  leave(socket: RealtimeSocket, room: string): void;
  /** Messages that were appended by this instance. */
  posted(room: string, messages: ChatMessage[]): void;
  /** Messages that this instance changed: they are told. Resolves when memory has them as they are now. */
  changed(room: string, seqs: number[]): Promise<void>;
  /** What moderators set was changed by this instance. */
  settingsChanged(room: string): Promise<void>;
  /** To all pages of this instance in the room. */
  tell(room: string, prepared: Prepared): void;
  /** One of two accounts blocked the other, or ended it: their pages see no more of each other, or all again, at all instances. */
  blocksChanged: HiddenPeople['changed'];
  stop(): Promise<void>;
}

export interface JoinedRoom {
  messages: ChatMessage[];
  changed: ChatMessage[];
  seq: number;
  startsAnew?: true;
}

export interface HubDeps {
  pool: Pool;
  log: Logger;
  redis?: Redis | undefined;
  /** Names this process to the others. */
  instance: string;
  clock: Pick<DatabaseClock, 'sync'>;
}

/**
 * The rooms that this instance serves. Messages of a room go out in the order of their numbers: one that comes too early waits until the gap
 * before it was filled from the database. Other instances tell theirs by Redis; what was not told is found by looking at the database, often
 * while Redis is away.
 */
export function openHub({ pool, log, redis, instance, clock }: HubDeps): Hub {
  const rooms = new Map<string, HotRoom>();
  const opening = new Map<string, Promise<HotRoom | undefined>>();
  let stopped = false;
  const hidden = hiddenPeople({ pool, log, redis, instance, tell: tellHidden });

  // Rooms in memory

  async function open(room: string): Promise<HotRoom | undefined> {
    const known = rooms.get(room);
    if (known?.isLoaded) return known;
    let under = opening.get(room);
    if (!under) {
      under = load(room).finally(() => opening.delete(room));
      opening.set(room, under);
    }
    return under;
  }

  async function load(room: string): Promise<HotRoom | undefined> {
    const [info] = await roomsBy(pool, [room]);
    if (!info) return undefined;
    const hot: HotRoom = {
      info,
      last: 0,
      ring: [],
      early: new Map(),
      outbox: [],
      flushedAt: 0,
      restsUntil: 0,
      pace: { second: 0, now: 0, before: 0 },
      timer: undefined,
      members: new Map(),
      touched: new Set(),
      hasMore: false,
      toRead: new Map(),
      reading: Promise.resolve(),
      isReading: false,
      isLoaded: false,
    };
    // From now on it hears what is posted; what was posted before is in what is read next.
    rooms.set(room, hot);
    try {
      for (const { message, hasChanged } of await knownBefore(pool, room, undefined, RING)) {
        hot.ring.push(message);
        if (hasChanged) hot.touched.add(message.seq);
      }
    } catch (error) {
      rooms.delete(room);
      throw error;
    }
    hot.last = hot.ring.at(-1)?.seq ?? 0;
    hot.isLoaded = true;
    for (const seq of hot.early.keys()) if (seq <= hot.last) hot.early.delete(seq);
    advance(room, hot);
    void readOn(room, hot);
    return hot;
  }

  /** What happens while nobody is here is not heard: it is read anew. */
  function forgetEmpty(room: string, hot: HotRoom): void {
    if (hot.members.size > 0 || rooms.get(room) !== hot) return;
    clearTimeout(hot.timer);
    rooms.delete(room);
  }

  /** The database was restored from an earlier day: its pages connect again, and say which message they had last. */
  function startAnew(room: string, hot: HotRoom): void {
    log.warn({ room }, 'the database knows fewer messages of a chat than were told: its pages begin anew');
    clearTimeout(hot.timer);
    rooms.delete(room);
    for (const socket of hot.members.keys()) {
      dismiss(hot, socket);
      socket.conn.close();
    }
  }

  function dismiss(hot: HotRoom, socket: RealtimeSocket): boolean {
    const member = hot.members.get(socket);
    if (member?.reader !== undefined) hidden.leave(member.reader);
    return hot.members.delete(socket);
  }

  // Order

  function offer(room: string, messages: readonly ChatMessage[]): void {
    const hot = rooms.get(room);
    if (!hot) return;
    for (const message of messages)
      if ((!hot.isLoaded || message.seq > hot.last) && !hot.early.has(message.seq)) hot.early.set(message.seq, message);
    advance(room, hot);
    if (hot.early.size === 0) return;
    if (hot.early.size > MAX_EARLY) hot.early.clear();
    hot.hasMore = true;
    void readOn(room, hot);
  }

  /** Takes those that are next. */
  function advance(room: string, hot: HotRoom): void {
    if (!hot.isLoaded) return;
    for (let next = hot.early.get(hot.last + 1); next; next = hot.early.get(hot.last + 1)) {
      hot.early.delete(next.seq);
      hot.last = next.seq;
      hot.ring.push(next);
      hot.outbox.push(next);
      noteMessage(hot.pace);
      if (hot.outbox.length >= PAGE) flush(room, hot);
    }
    if (hot.ring.length > RING + PAGE)
      for (const { seq } of hot.ring.splice(0, hot.ring.length - RING)) hot.touched.delete(seq);
    if (hot.outbox.length > 0) flushSoon(room, hot);
  }

  // Reading

  /** Reads what is missing and what changed, until nothing is left. */
  function readOn(room: string, hot: HotRoom): Promise<void> {
    if (!hot.isLoaded) return Promise.resolve(); // then it does
    if (!hot.isReading) hot.reading = readAll(room, hot);
    return hot.reading;
  }

  async function readAll(room: string, hot: HotRoom): Promise<void> {
    hot.isReading = true;
    try {
      while (!stopped && rooms.get(room) === hot)
        if (hot.hasMore) await readMore(room, hot);
        else if (hot.toRead.size > 0) await readChanged(room, hot);
        else break;
    } catch (error) {
      log.warn({ err: error, room }, 'a chat was not read; the next look does');
    } finally {
      hot.isReading = false;
    }
  }

  async function readMore(room: string, hot: HotRoom): Promise<void> {
    const { last } = hot;
    hot.hasMore = false;
    const found = await messagesAfter(pool, room, last, PAGE);
    for (const message of found) if (message.seq > hot.last) hot.early.set(message.seq, message);
    advance(room, hot);
    // Without one that is next it is left to the next look: the database itself has a gap.
    if (found.length === PAGE && hot.last > last) hot.hasMore = true;
  }

  async function readChanged(room: string, hot: HotRoom): Promise<void> {
    const some = [...hot.toRead].slice(0, PAGE);
    for (const [seq] of some) hot.toRead.delete(seq);
    const numbers = some.map(([seq]) => seq);
    tellChanged(room, hot, await messagesBySeq(pool, room, numbers));
    for (const [seq, changedAt] of some) if (changedAt !== undefined) note(known, keyOf(room, seq), changedAt);
  }

  // Sending

  function flushSoon(room: string, hot: HotRoom): void {
    if (hot.timer) return;
    // A room whose flushes take all the time there is would look quiet: its messages wait unread.
    const rest = (isBusy(hot.pace) ? hot.flushedAt + GATHER_MS : hot.restsUntil) - performance.now();
    if (rest <= 0) return flush(room, hot);
    hot.timer = setTimeout(() => {
      hot.timer = undefined;
      flush(room, hot);
    }, rest);
  }

  function flush(room: string, hot: HotRoom): void {
    clearTimeout(hot.timer);
    hot.timer = undefined;
    const messages = hot.outbox;
    if (messages.length === 0) return;
    hot.outbox = [];
    hot.flushedAt = performance.now();
    if (hot.members.size === 0) return;
    const preparedFor = preparedOnce('messages', room, messages);
    for (const member of hot.members.values()) {
      if (member.isBehind || member.isJoining) continue;
      if (send(member.socket, preparedFor(member))) member.sent = hot.last;
      else fallBehind(member);
    }
    const now = performance.now();
    hot.restsUntil = now + Math.min(now - hot.flushedAt, GATHER_MS);
  }

  /** What is told of the room as a whole: for who takes nothing now the last of each event is kept. */
  function tell(room: string, prepared: Prepared): void {
    for (const member of rooms.get(room)?.members.values() ?? [])
      if (!sendNow(member, prepared)) member.untold.set(prepared.event, prepared);
  }

  function tellMessages(room: string, hot: HotRoom, messages: ChatMessage[]): void {
    const preparedFor = preparedOnce('messages-changed', room, messages);
    for (const member of hot.members.values()) {
      if (sendNow(member, preparedFor(member))) continue;
      for (const message of messages) member.missed.set(message.seq, message);
      while (member.missed.size > MAX_MISSED) member.missed.delete(Math.min(...member.missed.keys()));
    }
  }

  /** One frame for all, and one more for each different view of those who do not see a writer in it. */
  function preparedOnce(event: 'messages' | 'messages-changed', room: string, messages: ChatMessage[]) {
    const whole = prepare(event, { room, messages });
    const views = new Map<string, Prepared>();
    return (member: Member): Prepared => {
      const seen = seenBy(hidden.of(member.reader), messages);
      if (seen === messages) return whole;
      const view = seen.map(({ isHidden }) => (isHidden ? '1' : '0')).join('');
      const prepared = views.get(view) ?? prepare(event, { room, messages: seen });
      views.set(view, prepared);
      return prepared;
    };
  }

  function sendNow(member: Member, prepared: Prepared): boolean {
    if (member.isJoining) return false;
    if (!member.isBehind && send(member.socket, prepared)) return true;
    fallBehind(member);
    return false;
  }

  // Pages that were skipped

  let resuming: ReturnType<typeof setInterval> | undefined;

  function fallBehind(member: Member): void {
    member.isBehind = true;
    resuming ??= setInterval(resumeAll, RESUME_MS);
  }

  function resumeAll(): void {
    let behind = 0;
    for (const [room, hot] of rooms)
      for (const member of hot.members.values()) {
        if (member.isBehind) resume(room, hot, member);
        if (member.isBehind) behind++;
      }
    if (behind > 0) return;
    clearInterval(resuming);
    resuming = undefined;
  }

  /** Sends what it missed from memory; what is older than that it asks for, seeing the gap. */
  function resume(room: string, hot: HotRoom, member: Member): void {
    if (member.isJoining || !hasDrained(member.socket)) return;
    const seen = (messages: ChatMessage[]) => seenBy(hidden.of(member.reader), messages);
    const missed = hot.ring.filter(({ seq }) => seq > member.sent && seq <= lastSent(hot));
    const page = missed.slice(0, PAGE);
    if (page.length > 0) {
      if (!send(member.socket, prepare('messages', { room, messages: seen(page) }))) return;
      member.sent = page.at(-1)!.seq;
    }
    if (page.length < missed.length) return;
    while (member.missed.size > 0) {
      const messages = [...member.missed.values()].slice(0, PAGE);
      if (!send(member.socket, prepare('messages-changed', { room, messages: seen(messages) }))) return;
      for (const { seq } of messages) member.missed.delete(seq);
    }
    for (const [event, prepared] of member.untold) {
      if (!send(member.socket, prepared)) return;
      member.untold.delete(event);
    }
    member.isBehind = false;
  }

  // Who does not see whom

  /** Whose eyes a page has: of moderators nothing is hidden, or blocking them would be a way around them. */
  const readerOf = ({ info }: HotRoom, caller: Caller | undefined): number | undefined =>
    isModerator(info, caller) ? undefined : caller?.id;

  /** What memory has of these people is told anew to pages of an account: as its eyes see it now. */
  function tellHidden(userId: number, others: Hidden): void {
    for (const [room, hot] of rooms)
      for (const member of hot.members.values())
        if (member.reader === userId && !member.isJoining) tellAnew(room, hot, member, others);
  }

  function tellAnew(room: string, hot: HotRoom, member: Member, others: Hidden): void {
    for (const message of hot.ring)
      if (message.userId !== null && others.has(message.userId) && message.seq <= member.sent)
        member.missed.set(message.seq, message);
    fallBehind(member);
    resume(room, hot, member);
  }

  // What changed

  /** What pages were told last of messages that changed, and when the database says that these did. */
  const latest = new Map<string, string>();
  const known = new Map<string, string>();
  const keyOf = (room: string, seq: number) => `${room} ${seq}`;
  function note(texts: Map<string, string>, key: string, text: string): void {
    texts.delete(key);
    texts.set(key, text);
    if (texts.size > 10_000) texts.delete(texts.keys().next().value!);
  }

  function tellChanged(room: string, hot: HotRoom, messages: readonly ChatMessage[]): void {
    const news = messages.filter((message) => {
      const { seq, isRemoved, userName, reactions } = message;
      if (seq >= (hot.ring[0]?.seq ?? 0)) hot.touched.add(seq);
      // It comes as it is now, also when what was posted comes later than its change.
      if (seq > hot.last) {
        hot.early.set(seq, message);
        return false;
      }
      const key = keyOf(room, seq);
      const text = JSON.stringify([isRemoved, message.message, userName, reactions]);
      if (latest.get(key) === text) return false;
      note(latest, key, text);
      for (const list of [hot.ring, hot.outbox]) {
        const at = list.findIndex((one) => one.seq === seq);
        if (at >= 0) list[at] = message;
      }
      return true;
    });
    if (news.length > 0) tellMessages(room, hot, news);
    if (news.length === messages.length) return;
    advance(room, hot);
    if (hot.early.size > 0) hot.hasMore = true;
  }

  /** Reads of changed messages, twenty times a second in each room at most. */
  const reads = gather(GATHER_MS, (room, seqs) => {
    const hot = rooms.get(room);
    if (!hot) return undefined;
    for (const seq of seqs) hot.toRead.set(seq, undefined);
    return readOn(room, hot);
  });
  const sayings = gather(GATHER_MS, (room, changed) => say({ room, changed }));

  function takeSettings(room: string, info: RoomInfo): void {
    const hot = rooms.get(room);
    if (!hot) return;
    const [before, now] = [changeOf(hot.info), changeOf(info)];
    hot.info = info;
    if (JSON.stringify(before) !== JSON.stringify(now)) tell(room, prepare('room-changed', now));
  }

  // The other instances

  const say = (told: Omit<Told, 'from'>): void => {
    if (redis?.usable())
      redis
        .ask((client) => client.sPublish(CHANNEL, JSON.stringify({ ...told, from: instance } satisfies Told)))
        .catch(() => undefined); // they find it by looking
  };
  redis?.subscribe(CHANNEL, (bytes) => {
    let told: Told;
    try {
      told = Told.parse(JSON.parse(bytes.toString()));
    } catch {
      return; // of another version: it is found by looking
    }
    if (told.from === instance) return;
    if (told.messages) offer(told.room, told.messages);
    if (told.changed) void reads.add(told.room, told.changed);
  });

  /** By the database's clock, as all that is compared with it. */
  let lookedAt: Date | undefined;
  async function look(): Promise<void> {
    const served = [...rooms.keys()];
    if (served.length === 0) return;
    // Before the database is asked: what it has is never behind these.
    const lasts = new Map(served.map((room) => [room, rooms.get(room)?.last]));
    const began = await clock.sync();
    const since = new Date((lookedAt ?? began).getTime() - BACK_MS);
    const [infos, changed] = await Promise.all([roomsBy(pool, served), changedSince(pool, served, since)]);
    for (const info of infos) {
      const hot = rooms.get(info.room);
      if (hot && info.seq < (lasts.get(info.room) ?? 0)) {
        startAnew(info.room, hot);
        continue;
      }
      takeSettings(info.room, info);
      if (!hot || info.seq <= hot.last) continue;
      hot.hasMore = true;
      void readOn(info.room, hot);
    }
    for (const { room, seq, changedAt } of changed) {
      const hot = rooms.get(room);
      if (!hot || known.get(keyOf(room, seq)) === changedAt) continue;
      hot.toRead.set(seq, changedAt);
      void readOn(room, hot);
    }
    lookedAt = began;
  }
  let lookTimer: ReturnType<typeof setTimeout> | undefined;
  const lookOn = () => {
    lookTimer = setTimeout(
      () =>
        void look()
          .catch((error: unknown) => log.warn({ err: error }, 'the chat was not looked at; it is tried again'))
          .finally(() => stopped || lookOn()),
      redis?.usable() ? LOOK_MS : LOOK_ALONE_MS,
    ).unref();
  };
  lookOn();

  return {
    room: async (room) => {
      const hot = rooms.get(room);
      if (hot?.isLoaded && hot.members.size > 0) return { ...hot.info, seq: hot.last };
      const [info] = await roomsBy(pool, [room]);
      return info;
    },
    messages: (room, { after, before, limit }) => {
      const hot = rooms.get(room);
      const isHot = hot?.isLoaded === true && hot.members.size > 0;
      const has = (from: number) => isHot && (hot.ring[0]?.seq ?? Infinity) <= from;
      if (after !== undefined)
        return has(after + 1)
          ? Promise.resolve(hot!.ring.filter(({ seq }) => seq > after).slice(0, limit))
          : messagesAfter(pool, room, after, limit);
      const end = before ?? (isHot ? hot.last + 1 : undefined);
      return end !== undefined && has(Math.max(1, end - limit)) && end <= hot!.last + 1
        ? Promise.resolve(hot!.ring.filter(({ seq }) => seq < end).slice(-limit))
        : messagesBefore(pool, room, before, limit);
    },
    join: async (socket, room, after, afterId, caller) => {
      let hot = await open(room);
      // It may have been forgotten since: whoever was there left meanwhile.
      while (hot && rooms.get(room) !== hot) hot = await open(room);
      if (!hot) return undefined;
      const reader = readerOf(hot, caller);
      // At once: a room with somebody in it stays in memory. Told is only what comes after the answer.
      const member: Member = {
        socket,
        sent: hot.last,
        isBehind: false,
        missed: new Map(),
        untold: new Map(),
        isJoining: true,
        reader,
      };
      const known = reader === undefined ? undefined : hidden.come(reader);
      dismiss(hot, socket);
      hot.members.set(socket, member);
      let before: Known[] = [];
      let older: ChatMessage[] = [];
      try {
        if (known) await known;
        if (after !== undefined) {
          // Another instance told it a message that is not here yet.
          if (after > hot.last) {
            hot.hasMore = true;
            await readOn(room, hot);
          }
          // Memory has what most pages ask for that come back: a thousand of them at once are no load for the database.
          const hasBefore = inRing(hot, after - PAGE + 1);
          [before, older] = await Promise.all([
            hasBefore ? knownInRing(hot, after) : knownBefore(pool, room, after + 1, PAGE),
            inRing(hot, after + 1) ? [] : messagesAfter(pool, room, after, PAGE),
          ]);
        }
      } catch (error) {
        if (hot.members.get(socket) === member) dismiss(hot, socket);
        forgetEmpty(room, hot);
        throw error;
      }
      // What others are told with the next flush comes after the answer: pages that come must not make flushes of single messages.
      const told = lastSent(hot);
      member.sent = told;
      member.isJoining = false;
      // What was read for the answer may be older than what was told meanwhile.
      const { missed, untold } = member;
      const asNow = (message: ChatMessage): ChatMessage => missed.get(message.seq) ?? message;
      member.missed = new Map();
      // The answer says how many are here.
      untold.delete('online');
      if (untold.size > 0) fallBehind(member);
      const seen = (messages: ChatMessage[]) => seenBy(hidden.of(reader), messages);
      const sent = hot.ring.filter(({ seq }) => seq <= told);
      if (after === undefined) return { messages: seen(sent.slice(-FIRST_MESSAGES)), changed: [], seq: told };
      const isOther =
        afterId !== undefined &&
        before.find(({ message: { seq } }) => seq === after)?.message.id !== afterId.toLowerCase();
      if (isOther) return { messages: seen(sent.slice(-FIRST_MESSAGES)), changed: [], seq: told, startsAnew: true };
      older = older.filter(({ seq }) => seq <= told);
      const end = older.at(-1)?.seq ?? after;
      const newer = sent.filter(({ seq }) => seq > end);
      const isNext = newer[0] === undefined || newer[0].seq === end + 1;
      const messages = isNext ? [...older, ...newer].slice(0, PAGE) : older;
      const changed = new Map<number, ChatMessage>();
      // Hidden ones too: the page may have seen them before the block.
      const isHidden = ({ userId }: ChatMessage) => userId !== null && hidden.of(reader).has(userId);
      for (const { message, hasChanged } of before)
        if (hasChanged || isHidden(message)) changed.set(message.seq, asNow(message));
      for (const message of missed.values()) if (message.seq <= after) changed.set(message.seq, message);
      // Another instance told it what comes with the next flush.
      const seq = Math.max(told, Math.min(after, hot.last));
      return { messages: seen(messages.map(asNow)), changed: seen([...changed.values()]), seq };
    },
    become: async (socket, room, caller) => {
      const hot = rooms.get(room);
      const member = hot?.members.get(socket);
      if (!hot || !member) return;
      const reader = readerOf(hot, caller);
      const before = member.reader;
      if (reader === before) return;
      // What happens until it is known is told then.
      member.isJoining = true;
      const known = reader === undefined ? undefined : hidden.come(reader);
      const others = new Set(hidden.of(before));
      member.reader = reader;
      if (before !== undefined) hidden.leave(before);
      await known;
      for (const other of hidden.of(reader)) others.add(other);
      member.isJoining = false;
      tellAnew(room, hot, member, others);
    },
    leave: (socket, room) => {
      const hot = rooms.get(room);
      if (hot && dismiss(hot, socket)) forgetEmpty(room, hot);
    },
    posted: (room, messages) => {
      offer(room, messages);
      say({ room, messages });
    },
    changed: async (room, seqs) => {
      void sayings.add(room, seqs);
      await reads.add(room, seqs);
    },
    settingsChanged: async (room) => {
      const [info] = await roomsBy(pool, [room]);
      if (info) takeSettings(room, info);
      say({ room });
    },
    tell,
    blocksChanged: hidden.changed,
    stop: async () => {
      stopped = true;
      clearTimeout(lookTimer);
      clearInterval(resuming);
      for (const gatherer of [reads, sayings]) gatherer.stop();
      for (const { timer } of rooms.values()) clearTimeout(timer);
      rooms.clear();
      await hidden.stop();
    },
  };
}

/** Messages in this second and in the one before. */
interface Pace {
  second: number;
  now: number;
  before: number;
}

function noteMessage(pace: Pace): void {
  const second = Math.floor(performance.now() / 1_000);
  if (second !== pace.second) {
    pace.before = second === pace.second + 1 ? pace.now : 0;
    pace.now = 0;
    pace.second = second;
  }
  pace.now++;
}

/** More than is quiet in the last second, that of now taken as far as it is over. */
const isBusy = ({ now, before }: Pace): boolean =>
  now + before * (1 - ((performance.now() / 1_000) % 1)) > QUIET_PER_SECOND;

/** Of the messages that pages were sent, the last number. */
const lastSent = ({ last, outbox }: HotRoom): number => last - outbox.length;

/** Whether memory has this message and all after it. */
const inRing = ({ ring }: HotRoom, seq: number): boolean => (ring[0]?.seq ?? 1) <= Math.max(1, seq);

/** The last ones up to this number. */
const knownInRing = ({ ring, touched }: HotRoom, to: number): Known[] =>
  ring
    .filter(({ seq }) => seq > to - PAGE && seq <= to)
    .map((message) => ({ message, hasChanged: touched.has(message.seq) }));

type RoomChange = Parameters<ChatServerMessages['room-changed']>[0];
const changeOf = ({ room, name, description, isActive, slowModeSeconds }: RoomInfo): RoomChange => ({
  room,
  isActive,
  slowModeSeconds,
  name,
  description,
});
