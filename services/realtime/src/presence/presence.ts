import type { Watching } from '@beltway/contracts/realtime';
import type { Counts } from './counts.ts';

export const COUNT_EVERY_MS = 1_000;

type Answer = (watching: number) => void;

export interface Presence {
  /** One more page looks at this event. `answer` gets how many do, with the next count. */
  come(eventId: number, answer?: Answer): void;
  go(eventId: number): void;
  stop(): void;
}

export interface PresenceDeps {
  /** Given what is here, what is everywhere. Must not reject. */
  count: (own: Counts) => Promise<Counts>;
  tell: (watching: Watching) => void;
  everyMs?: number;
}

/**
 * How many pages look at an event now. Counted once a second while any page is here, whatever number comes and goes: the first page
 * after a quiet time at once, all others with the next count. Tells what changed since it was last told.
 */
export function presence({ count, tell, everyMs = COUNT_EVERY_MS }: PresenceDeps): Presence {
  const own: Counts = new Map();
  const announced: Counts = new Map();
  const waiting = new Map<number, Answer[]>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;

  async function countAll(): Promise<void> {
    const answers = [...waiting];
    waiting.clear();
    const sums = await count(own);
    if (stopped) return;
    for (const [eventId, heard] of answers) for (const answer of heard) answer(sums.get(eventId) ?? 0);
    for (const eventId of announced.keys()) if (!own.has(eventId)) announced.delete(eventId);
    for (const [eventId, watching] of sums) {
      if (!own.has(eventId) || announced.get(eventId) === watching) continue;
      announced.set(eventId, watching);
      tell({ eventId, watching });
    }
    timer = setTimeout(() => {
      timer = undefined;
      // Once more when the last page has left, so that the others hear of it.
      if (own.size > 0 || sums.size > 0 || waiting.size > 0) begin();
    }, everyMs);
  }

  let counting = false;
  function begin(): void {
    if (counting || timer || stopped) return;
    counting = true;
    void countAll().finally(() => (counting = false));
  }

  return {
    come: (eventId, answer) => {
      own.set(eventId, (own.get(eventId) ?? 0) + 1);
      if (answer) {
        const line = waiting.get(eventId);
        if (line) line.push(answer);
        else waiting.set(eventId, [answer]);
      }
      begin();
    },
    go: (eventId) => {
      const left = (own.get(eventId) ?? 0) - 1;
      if (left > 0) own.set(eventId, left);
      else own.delete(eventId);
      begin();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
