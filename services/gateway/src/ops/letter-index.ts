import type { DeadLetterItem } from '@beltway/contracts/ops/dead-letters';
import type { Bus } from '@beltway/kit/bus';
import { isReplayable, readDeadLetters, type DeadLetter } from '@beltway/kit/bus/dead-letters';
import { causeOf, outlineOf } from './without-people.ts';

const MAX_CAUSE = 300;
const MAX_OUTLINE = 600;
const MAX_NAME = 200;
/** How long the index is cached: reading it means reading whole topics. */
const FRESH_MS = 2_000;

export interface LetterIndex {
  /** Newest first. */
  items: DeadLetterItem[];
  /** Groups with more waiting letters than `max`. Their oldest letters are left out. */
  cut: ReadonlySet<string>;
}

const itemOf = (letter: DeadLetter): DeadLetterItem => ({
  id: letter.id,
  group: letter.group.slice(0, MAX_NAME),
  type: letter.type.slice(0, MAX_NAME),
  key: letter.key.slice(0, MAX_NAME),
  messageId: letter.messageId.slice(0, MAX_NAME),
  at: letter.at,
  attempts: letter.attempts,
  cause: causeOf(letter.error, MAX_CAUSE),
  outline: outlineOf(letter.original, MAX_OUTLINE),
  state: 'waiting',
  settledAt: null,
  replayable: isReplayable(letter),
});

const newestFirst = (a: DeadLetterItem, b: DeadLetterItem): number =>
  a.at === b.at ? (a.id < b.id ? 1 : -1) : a.at < b.at ? 1 : -1;
const waitingFirst = (a: DeadLetterItem, b: DeadLetterItem): number =>
  Number(b.state === 'waiting') - Number(a.state === 'waiting') || newestFirst(a, b);

/**
 * All dead letters, with the fields that a list shows. Keeps at most `max` letters per group: waiting letters before
 * settled ones, then the newest first. Letters that were left out appear once others are settled.
 */
export async function readLetterIndex(bus: Bus, max = 1_000): Promise<LetterIndex> {
  const groups = new Map<string, Map<string, DeadLetterItem>>();
  const groupOf = new Map<string, string>();
  const cut = new Set<string>();

  const trim = (group: string, items: Map<string, DeadLetterItem>) => {
    const [kept, left] = [[...items.values()].sort(waitingFirst), new Set<string>()];
    for (const { id, state } of kept.slice(max)) {
      items.delete(id);
      groupOf.delete(id);
      left.add(state);
    }
    if (left.has('waiting')) cut.add(group);
  };

  await readDeadLetters(bus, (entry) => {
    if (entry.is === 'letter') {
      const { group, id } = entry.letter;
      const items = groups.get(group) ?? new Map<string, DeadLetterItem>();
      groups.set(group, items);
      if (items.has(id)) return;
      items.set(id, itemOf(entry.letter));
      groupOf.set(id, group);
      if (items.size >= 2 * max) trim(group, items);
      return;
    }
    const item = groups.get(groupOf.get(entry.letterId) ?? '')?.get(entry.letterId);
    // If two decisions were published concurrently, the first counts.
    if (item?.state === 'waiting') Object.assign(item, { state: entry.is, settledAt: entry.at });
  });
  for (const [group, items] of groups) if (items.size > max) trim(group, items);
  return { items: [...groups.values()].flatMap((items) => [...items.values()]).sort(newestFirst), cut };
}

/** Caches the index for two seconds, or until `forget` is called. Concurrent callers share one read. */
export function letterIndex(bus: Bus) {
  let known: { index: Promise<LetterIndex>; until: number } | undefined;
  const read = () => {
    const index = readLetterIndex(bus);
    const entry = { index, until: Infinity };
    known = entry;
    index.then(
      () => (entry.until = performance.now() + FRESH_MS),
      () => known === entry && (known = undefined),
    );
    return index;
  };
  return {
    read: () => (known && performance.now() < known.until ? known.index : read()),
    /** Drops the cached index. Keeps a read in progress, because its result will be new enough. */
    forget: () => void (known?.until !== Infinity && (known = undefined)),
  };
}
