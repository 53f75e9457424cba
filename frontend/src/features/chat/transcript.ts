import { hiddenMessage, type ChatMessage } from '@beltway/contracts/realtime/chat';

/** What this page knows of a room's messages. Functions give a new one; messages that did not change stay the same objects. */
export interface Transcript {
  /** In the order of `seq`, without a gap. */
  readonly messages: readonly ChatMessage[];
  /** The number of the last message before which nothing is missing; null before the first answer. */
  readonly last: number | null;
  /** Came before others with smaller numbers: shown when those are here. */
  readonly early: ReadonlyMap<number, ChatMessage>;
  /** The latest news of messages that are not among `messages`: what is asked for later may have been read before the change. */
  readonly changes: ReadonlyMap<number, ChatMessage>;
}

export const EMPTY: Transcript = { messages: [], last: null, early: new Map(), changes: new Map() };

/** News of messages that are not here, at most; the newest are kept. */
const MAX_CHANGES = 500;
/** Messages kept while their reader has scrolled up, at most. */
const MAX_KEPT = 500;

/** The last messages of a room, as the first answer has them. */
export function begun({ early, changes }: Transcript, messages: readonly ChatMessage[], seq: number): Transcript {
  const last = messages.at(-1)?.seq ?? seq;
  return drained({ messages: messages.map((one) => changes.get(one.seq) ?? one), last, early, changes });
}

/** With further messages, in any order and any number of times. */
export function received(transcript: Transcript, messages: readonly ChatMessage[]): Transcript {
  const fresh = messages.filter(({ seq }) => seq > (transcript.last ?? 0) && !transcript.early.has(seq));
  if (fresh.length === 0) return transcript;
  return drained({
    ...transcript,
    early: new Map([...transcript.early, ...fresh.map((one) => [one.seq, one] as const)]),
  });
}

/** Moves what came early to the others, as far as nothing is missing before it. */
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

/** With messages as they are now: removed, with other reactions, hidden from this reader or not any more. */
export function changed(transcript: Transcript, news: readonly ChatMessage[]): Transcript {
  if (news.length === 0) return transcript;
  const bySeq = new Map(news.map((one) => [one.seq, one]));
  // The server tells it of the last messages alone: older ones of the same people go with them.
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

/** With the messages right before the first one. */
export function extended(transcript: Transcript, older: readonly ChatMessage[]): Transcript {
  const first = transcript.messages[0]?.seq ?? 1;
  const fresh = older.filter(({ seq }) => seq < first);
  // Only what ends right before the first: after the list was shortened or begun anew an answer may be of another place.
  if (fresh.at(-1)?.seq !== first - 1) return transcript;
  const changes = new Map(transcript.changes);
  const messages = fresh.map((one) => changes.get(one.seq) ?? one);
  for (const { seq } of fresh) changes.delete(seq);
  return { ...transcript, messages: [...messages, ...transcript.messages], changes };
}

/** With the last `count` messages alone; the others can be asked for again. */
export const shortened = (transcript: Transcript, count = MAX_KEPT): Transcript =>
  transcript.messages.length <= count ? transcript : { ...transcript, messages: transcript.messages.slice(-count) };

/** Without a connection changes are not heard: what waits for others, and what was heard of messages that are not here, may be old. */
export const unconnected = (transcript: Transcript): Transcript => ({
  ...transcript,
  early: new Map(),
  changes: new Map(),
});

/** The first number up to which something is missing; null: nothing is. `seq`: the last number that the server named. */
export function missingUpTo({ last, early }: Transcript, seq: number): number | null {
  const known = Math.max(seq, ...early.keys());
  return last !== null && known > last ? known : null;
}

/** Those that are shown: a hidden one has nothing but its number. */
export const shownOf = ({ messages }: Transcript): readonly ChatMessage[] =>
  messages.filter(({ isHidden }) => !isHidden);

export const hasOlder = ({ messages }: Transcript): boolean => (messages[0]?.seq ?? 1) > 1;
