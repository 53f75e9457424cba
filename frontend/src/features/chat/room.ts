import {
  FIRST_MESSAGES,
  type ChatMessage,
  type ChatRoom,
  type ChatServerMessages,
  type Joined,
  type Reacted,
  type Reaction,
  type Refused,
} from '@beltway/contracts/realtime/chat';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { chatGuestKey } from '../../lib/realtime/chat-guest.ts';
import { say as sayRefusal } from '../../lib/i18n/problems.ts';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { identified, introduce } from '../../lib/realtime/socket-session.ts';
import { pageSocket, type PageSocket } from '../../lib/realtime/socket.ts';
import * as api from './api.ts';
import { ownReactions } from './own-reactions.ts';
import { texts } from './texts.en.ts';
import {
  begun,
  changed,
  EMPTY,
  extended,
  missingUpTo,
  received,
  shortened,
  unconnected,
  type Transcript,
} from './transcript.ts';

/** A message from this page that is not in the transcript yet. */
export interface Outgoing {
  /** The message's id. A retry sends the same id, so that the message appears only once. */
  readonly id: string;
  readonly message: string;
  /** Set only if the author has no account. */
  readonly guestName?: string;
  /** Why the message was rejected, as a sentence; null while it is being sent. */
  readonly failure: string | null;
  /** The message's number; null until the server has accepted the message. */
  readonly seq: number | null;
}

export interface RoomState {
  /** `joined`: messages arrive. `refused`: the room cannot be read. */
  readonly connection: 'connecting' | 'joined' | 'reconnecting' | 'refused';
  /** Why the room cannot be read. */
  readonly refusal: string | null;
  readonly facts: ChatRoom | null;
  readonly transcript: Transcript;
  /** The number of people in the room. */
  readonly online: number | null;
  readonly outbox: readonly Outgoing[];
  readonly older: 'idle' | 'loading' | 'failed';
  /** When writing is allowed again, in milliseconds of this device's clock. */
  readonly waitUntil: number;
}

/** Milliseconds to wait for the server's answer to a message before its author is offered a retry. */
const ANSWER_MS = 15_000;
/** Milliseconds to wait for a missing message before fetching it. */
const LATE_MS = 300;
/** Milliseconds after which a failed request for the room's facts is made again. */
const FACTS_AGAIN_MS = 3_000;
/** With more missing messages than this, the page drops its messages and loads the latest messages. */
const MAX_MISSING = 300;
/**
 * When this page resumes a room, the server reports changes only to the latest messages: this many. Older messages may
 * be stale and are dropped.
 */
const CHANGES_TOLD = 100;

export type Room = ReturnType<typeof openRoom>;

/**
 * Joins a chat room over the page's socket. After a disconnection, the page continues from the last message number that
 * it received, and fetches missing messages with GET. `close` leaves the room.
 */
export function openRoom(room: api.RoomName) {
  let state: RoomState = {
    ...{ connection: 'connecting', refusal: null, facts: null, transcript: EMPTY, online: null, outbox: [] },
    ...{ older: 'idle', waitUntil: 0 },
  };
  const listeners = new Set<() => void>();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  let socket: PageSocket | null = null;
  let isClosed = false;
  /** Counts connections, so that answers from earlier connections are ignored. */
  let connections = 0;
  /** The last message number that the server reported. */
  let named = 0;
  /** True while the reader is at the end of the list. */
  let isFollowing = true;
  let own = ownReactions(whose());
  /** For each message, the number of reactions that are being sent. Only the last answer has the final count. */
  const reacting = new Map<number, number>();

  function set(change: Partial<RoomState>): void {
    if (isClosed) return;
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }
  function later(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer);
  }

  // Server messages.

  function show(transcript: Transcript): void {
    const shown = shortened(transcript, isFollowing ? FIRST_MESSAGES : undefined);
    const { last } = shown;
    const arrived = new Set(shown.messages.map(({ id }) => id));
    const outbox = state.outbox.filter(({ id, seq }) => !arrived.has(id) && (seq === null || seq > (last ?? 0)));
    for (const { id } of state.outbox) if (arrived.has(id)) tries.delete(id);
    set({ transcript: shown, ...(outbox.length !== state.outbox.length && { outbox }) });
  }
  const told: ChatServerMessages = {
    messages: (data) => {
      if (data.room !== room) return;
      show(received(state.transcript, data.messages));
      if (missingUpTo(state.transcript, named) !== null) later(LATE_MS, () => void fill());
    },
    'messages-changed': (data) => {
      if (data.room === room) show(changed(state.transcript, data.messages));
    },
    'room-changed': ({ room: which, ...facts }) => {
      if (which !== room) return;
      announced = facts;
      if (!state.facts) return;
      const isFree = state.facts.slowModeSeconds > 0 && facts.slowModeSeconds === 0;
      set({ facts: { ...state.facts, ...facts }, ...(isFree && { waitUntil: 0 }) });
    },
    online: (data) => {
      if (data.room === room) set({ online: data.online });
    },
    'token-expired': () => undefined,
  };
  const onDisconnect = () => {
    connections += 1;
    const connection = state.connection === 'connecting' ? 'connecting' : 'reconnecting';
    set({ connection, transcript: unconnected(state.transcript) });
  };
  const onConnect = () => void join();

  // Joining.

  async function join(): Promise<void> {
    if (!socket?.connected) return;
    const connection = ++connections;
    const { last: after, messages } = state.transcript;
    const afterId = messages.findLast(({ seq }) => seq === after)?.id;
    await identified();
    if (connection !== connections || isClosed) return;
    const answer = await ask<Joined>((done) =>
      socket!.emit('join', { room, ...(after !== null && { after }), ...(afterId && { afterId }) }, done),
    );
    if (connection !== connections || isClosed) return;
    if (answer === null) return later(1_000, () => connection === connections && void join());
    if ('error' in answer) {
      const { code, retryAfterSeconds } = answer.error;
      // `unavailable`: the room of a new event is not open yet, so the page keeps connecting.
      if (code !== 'unavailable') set({ connection: 'refused', refusal: sayRefusal(answer.error) });
      return later((retryAfterSeconds ?? 30) * 1_000, () => connection === connections && void join());
    }
    if (answer.guestKey) chatGuestKey.set(answer.guestKey);
    named = answer.seq;
    set({ connection: 'joined', refusal: null, online: answer.online });
    if (after === null) show(begun(state.transcript, answer.messages, answer.seq));
    else if (answer.startsAnew) show(begun(EMPTY, answer.messages, answer.seq));
    else if (answer.seq < after) {
      // The server has fewer messages than this page: it was restored from a backup.
      set({ transcript: EMPTY });
      return join();
    } else {
      const known = shortened(state.transcript, CHANGES_TOLD);
      show(received(changed(known, answer.changed), answer.messages));
      // Hidden authors may be visible again. The server does not report this when a page resumes, so the page reads the
      // messages again.
      if (known.messages.some(({ isHidden }) => isHidden)) await readAgain(after);
    }
    void loadFacts();
    await fill();
    for (const { id, failure, seq } of state.outbox) if (failure === null && seq === null) void send(id);
  }

  async function readAgain(to: number): Promise<void> {
    const page = await api.messagesBefore(room, to + 1, CHANGES_TOLD).catch(() => null);
    if (page) show(changed(state.transcript, page.messages));
  }

  /** The last change that was announced after the last request for the facts, whose answer may be older. */
  let announced: Partial<ChatRoom> = {};
  let lastLoad = 0;
  async function loadFacts(): Promise<void> {
    const load = ++lastLoad;
    announced = {};
    const facts = await api.getRoom(room).catch(() => null);
    // An older answer may be about another account.
    if (load !== lastLoad) return;
    // Without the facts messages still work, but have no menu.
    if (facts) set({ facts: { ...facts, ...announced } });
    else later(FACTS_AGAIN_MS, () => load === lastLoad && void loadFacts());
  }

  let filling = false;
  /** Fetches missing messages until there is no gap. */
  async function fill(pause = 500): Promise<void> {
    if (filling || isClosed) return;
    filling = true;
    let isStuck = false;
    try {
      for (let to = missingUpTo(state.transcript, named); to !== null; to = missingUpTo(state.transcript, named)) {
        const { last } = state.transcript;
        if (last === null || to - last > MAX_MISSING) {
          await beginAnew();
          continue;
        }
        const page = await api.messagesAfter(room, last);
        show(received(state.transcript, page.messages));
        // The socket may announce a message before the API can read it.
        if (state.transcript.last === last) {
          isStuck = true;
          break;
        }
      }
    } catch {
      isStuck = true;
    } finally {
      filling = false;
    }
    if (isStuck) later(pause, () => void fill(Math.min(pause * 2, 30_000)));
  }

  async function beginAnew(): Promise<void> {
    const page = await api.lastMessages(room);
    named = page.seq;
    show(begun({ ...state.transcript, messages: [], last: null }, page.messages, page.seq));
  }

  /** Sends a socket message. Returns the server's answer, or null after a timeout. */
  function ask<T>(emit: (done: (answer: T | Refused) => void) => void): Promise<T | Refused | null> {
    return new Promise((resolve) => {
      later(ANSWER_MS, () => resolve(null));
      emit(resolve);
    });
  }

  // Writing.

  function change(id: string, to: Partial<Outgoing>): void {
    set({ outbox: state.outbox.map((one) => (one.id === id ? { ...one, ...to } : one)) });
  }

  /** How often each unanswered message was sent. */
  const tries = new Map<string, number>();

  async function send(id: string): Promise<void> {
    const wanted = state.outbox.find((one) => one.id === id);
    if (!wanted) return;
    const attempt = (tries.get(id) ?? 0) + 1;
    tries.set(id, attempt);
    change(id, { failure: null });
    const isWaiting = () => tries.get(id) === attempt;
    later(ANSWER_MS, () => isWaiting() && change(id, { failure: textsNow(texts)('notSentWhy') }));
    await identified();
    // Without a connection, the message is sent after reconnecting.
    if (!isWaiting() || state.connection !== 'joined' || !socket?.connected) return;
    const { message, guestName } = wanted;
    const isGuest = sessionStore.get().user === null;
    socket.emit('say', { room, id, message, ...(isGuest && guestName && { guestName }) }, (answer) => {
      if ('error' in answer) {
        if (!isWaiting()) return;
        const { code, retryAfterSeconds } = answer.error;
        // A new token is being fetched, so the message is sent once more. If the session is over, the server then
        // returns another error.
        if (code === 'token-expired' && attempt === 1) return void send(id);
        tries.delete(id);
        change(id, { failure: sayRefusal(answer.error) });
        if (retryAfterSeconds) set({ waitUntil: Date.now() + retryAfterSeconds * 1_000 });
        return;
      }
      tries.delete(id);
      named = Math.max(named, answer.seq);
      change(id, { seq: answer.seq, failure: null });
      show(state.transcript);
      const { facts } = state;
      if (facts && facts.slowModeSeconds > 0 && !facts.canModerate)
        set({ waitUntil: Date.now() + facts.slowModeSeconds * 1_000 });
      if (missingUpTo(state.transcript, named) !== null) later(LATE_MS, () => void fill());
    });
  }

  /** Ids of the messages that this page sent. */
  const said = new Set<string>();

  function say(message: string, guestName?: string): void {
    const id = crypto.randomUUID();
    said.add(id);
    set({ outbox: [...state.outbox, { id, message, ...(guestName && { guestName }), failure: null, seq: null }] });
    void send(id);
  }

  // Reactions.

  const messageOf = (seq: number) => state.transcript.messages.find((one) => one.seq === seq);

  /** Shows the reaction immediately and removes it if the server refuses. Rejects with the reason as a sentence. */
  async function react(seq: number, reaction: Reaction): Promise<void> {
    const before = messageOf(seq);
    if (!before) return;
    const isOn = !own.of(before.id).includes(reaction);
    const mark = (on: boolean) => own.set(before.id, reaction, on);
    const count = (before.reactions[reaction] ?? 0) + (isOn ? 1 : -1);
    const { [reaction]: _, ...others } = before.reactions;
    const optimiztic: ChatMessage = { ...before, reactions: count > 0 ? { ...others, [reaction]: count } : others };
    mark(isOn);
    show(changed(state.transcript, [optimiztic]));
    const turn = (reacting.get(seq) ?? 0) + 1;
    reacting.set(seq, turn);
    await identified();
    const answer =
      state.connection === 'joined' && socket?.connected
        ? await ask<Reacted>((done) => socket!.emit('react', { room, seq, reaction, isOn }, done))
        : null;
    if (answer && !('error' in answer)) {
      const now = messageOf(seq);
      if (now && reacting.get(seq) === turn) show(changed(state.transcript, [{ ...now, reactions: answer.reactions }]));
      return;
    }
    mark(!isOn);
    // Restores the earlier counts, unless the server has sent newer counts.
    if (messageOf(seq) === optimiztic) show(changed(state.transcript, [before]));
    else set({ transcript: { ...state.transcript } });
    throw new Error(answer ? answer.error.message : textsNow(texts)('checkConnection'));
  }

  // Reading.

  async function loadOlder(): Promise<void> {
    const first = state.transcript.messages[0]?.seq ?? 1;
    if (first <= 1 || state.older === 'loading') return;
    isFollowing = false;
    set({ older: 'loading' });
    try {
      const page = await api.messagesBefore(room, first);
      set({ older: 'idle', transcript: extended(state.transcript, page.messages) });
    } catch {
      set({ older: 'failed' });
    }
  }

  let account = whose();
  /** The last account that was signed in. */
  let author = account;
  const stopListening = sessionStore.subscribe(() => {
    if (whose() === account) return;
    account = whose();
    own = ownReactions(account);
    said.clear();
    const { facts, transcript } = state;
    // Moderation rights depend on the account.
    set({ waitUntil: 0, transcript: { ...transcript }, facts: facts && { ...facts, canModerate: false } });
    // No one else must see or send the account's messages. After an expiry the account may continue.
    if (author !== '' && account !== author && !sessionStore.hasExpired()) {
      tries.clear();
      set({ outbox: [] });
    }
    author = account || author;
    void identified().then(loadFacts);
  });

  async function open(): Promise<void> {
    try {
      socket = await pageSocket();
    } catch {
      set({ connection: 'reconnecting' });
      return later(3_000, () => void open());
    }
    if (isClosed) return;
    introduce(socket);
    for (const [name, handler] of Object.entries(told)) socket.on(name as 'messages', handler as never);
    socket.on('connect', onConnect);
    socket.on('disconnect', onDisconnect);
    if (socket.connected) void join();
    // Shows that connecting takes longer than usual.
    else later(5_000, () => state.connection === 'connecting' && set({ connection: 'reconnecting' }));
  }
  void open();

  return {
    get: () => state,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    say,
    /** Sends a refused message again, with the same id, so that it appears once. */
    retry: (id: string) => void send(id),
    /** Drops a refused message. */
    discard: (id: string) => set({ outbox: state.outbox.filter((one) => one.id !== id) }),
    react,
    ownReactions: (message: ChatMessage) => own.of(message.id),
    /** Whether the message was written by this account or on this page. */
    isOwn: ({ id, userId }: ChatMessage): boolean => said.has(id) || (userId !== null && String(userId) === account),
    loadOlder,
    /** Reports whether the reader is at the end of the list. Only then are old messages dropped from its top. */
    follow(isAtEnd: boolean): void {
      isFollowing = isAtEnd;
    },
    /** Applies a moderator's own change before the server broadcasts it. */
    apply: (news: readonly ChatMessage[]) => show(changed(state.transcript, news)),
    setFacts: (facts: ChatRoom) => set({ facts }),
    close(): void {
      isClosed = true;
      connections += 1;
      stopListening();
      for (const timer of timers) clearTimeout(timer);
      if (!socket) return;
      for (const [name, handler] of Object.entries(told)) socket.off(name as 'messages', handler as never);
      socket.off('connect', onConnect);
      socket.off('disconnect', onDisconnect);
      if (socket.connected) socket.emit('leave', { room });
    },
  };
}

const whose = (): string => String(sessionStore.get().user?.id ?? '');
