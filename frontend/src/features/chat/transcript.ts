import { hiddenMessage, type ChatMessage } from '@beltway/contracts/realtime/chat';

/**
 * The loaded messages of a room. The functions below return a new transcript, in which unchanged messages are the same
 * objects.
 */
export interface Transcript {
  /** Ordered by `seq`, without gaps. */
  readonly messages: readonly ChatMessage[];
  /** The message number up to which nothing is missing; null before the first answer. */
  readonly last: number | null;
  /** Messages that arrived before messages with smaller numbers. They are shown once no smaller number is missing. */
  readonly early: ReadonlyMap<number, ChatMessage>;
  /**
   * The latest changes to messages that are not in `messages`. A page of messages that arrives later may not contain
   * these changes yet.
   */
  readonly changes: ReadonlyMap<number, ChatMessage>;
}

export const EMPTY: Transcript = { messages: [], last: null, early: new Map(), changes: new Map() };

/** The maximum number of pending changes; the newest are kept. */
const MAX_CHANGES = 500;
/** The maximum number of messages kept while the reader has scrolled up. */
const MAX_KEPT = 500;

/** Creates a transcript from the first answer, which contains the latest messages of a room. */
export function begun({ early, changes }: Transcript, messages: readonly ChatMessage[], seq: number): Transcript {
  const last = messages.at(-1)?.seq ?? seq;
  return drained({ messages: messages.map((one) => changes.get(one.seq) ?? one), last, early, changes });
}

/** Adds messages, in any order and with repetitions. */
export function received(transcript: Transcript, messages: readonly ChatMessage[]): Transcript {
  const fresh = messages.filter(({ seq }) => seq > (transcript.last ?? 0) && !transcript.early.has(seq));
  if (fresh.length === 0) return transcript;
  return drained({
    ...transcript,
    early: new Map([...transcript.early, ...fresh.map((one) => [one.seq, one] as const)]),
  });
}

/** Moves early messages into `messages` once no message before them is missing. */
function drained(transcript: Transcript): Transcript {
  if (transcript.last === null || transcript.early.size === 0) return transcript;
  let { last } = transcript;
  const early = new Map(transcript.early);
  const changes = new Map(transcript.changes);
  const next: ChatMessage[] = [];
  for (const seq of early.keys()) if (seq <= last) early.delete(seq);
  for (let one = early.get(last + 1); one; one = early.get(last + 1)) {
    last = one.seq;
    next.push(changes.get(last) ?? one);
    early.delete(last);
    changes.delete(last);
  }
  return { messages: next.length ? [...transcript.messages, ...next] : transcript.messages, last, early, changes };
}

/** Applies changes to messages: removed, new reactions, hidden from this reader, or visible again. */
export function changed(transcript: Transcript, news: readonly ChatMessage[]): Transcript {
  if (news.length === 0) return transcript;
  const bySeq = new Map(news.map((one) => [one.seq, one]));
  // The server reports hidden authors only for the latest messages, so their older messages are hidden here.
  const gone = new Set(transcript.messages.filter(({ seq }) => bySeq.get(seq)?.isHidden).map(({ userId }) => userId));
  const messages = transcript.messages.map((one) => {
    const now = bySeq.get(one.seq);
    if (!now) return one.userId !== null && gone.has(one.userId) ? hiddenMessage(one) : one;
    bySeq.delete(one.seq);
    return now;
  });
  const changes = new Map(transcript.changes);
  for (const [seq, now] of bySeq) {
    changes.delete(seq);
    changes.set(seq, now);
  }
  for (const seq of changes.keys()) {
    if (changes.size <= MAX_CHANGES) break;
    changes.delete(seq);
  }
  return { ...transcript, messages, changes };
}

/** Prepends the messages right before the first one. */
export function extended(transcript: Transcript, older: readonly ChatMessage[]): Transcript {
  const first = transcript.messages[0]?.seq ?? 1;
  const fresh = older.filter(({ seq }) => seq < first);
  // Accepts only messages that end right before the first message here. If the list was shortened or restarted after
  // the request, the answer does not fit.
  if (fresh.at(-1)?.seq !== first - 1) return transcript;
  const changes = new Map(transcript.changes);
  const messages = fresh.map((one) => changes.get(one.seq) ?? one);
  for (const { seq } of fresh) changes.delete(seq);
  return { ...transcript, messages: [...messages, ...transcript.messages], changes };
}

/** Keeps only the last `count` messages. Older messages can be fetched again. */
export const shortened = (transcript: Transcript, count = MAX_KEPT): Transcript =>
  transcript.messages.length <= count ? transcript : { ...transcript, messages: transcript.messages.slice(-count) };

/**
 * Drops early messages and pending changes, which may be stale, because a page misses changes while it is disconnected.
 */
export const unconnected = (transcript: Transcript): Transcript => ({
  ...transcript,
  early: new Map(),
  changes: new Map(),
});

/**
 * The number up to which messages are missing; null if none is missing. `seq`: the last number that the server
 * reported.
 */
export function missingUpTo({ last, early }: Transcript, seq: number): number | null {
  const known = Math.max(seq, ...early.keys());
  return last !== null && known > last ? known : null;
}

/** The visible messages. A hidden message has only its number, so it is left out. */
export const shownOf = ({ messages }: Transcript): readonly ChatMessage[] =>
  messages.filter(({ isHidden }) => !isHidden);

export const hasOlder = ({ messages }: Transcript): boolean => (messages[0]?.seq ?? 1) > 1;
