import { randomUUID } from 'node:crypto';
import type { Redis } from '@beltway/kit/redis';

/** Event id → pages. */
export type Counts = Map<number, number>;

/** An instance that says nothing for so long has no pages any more. It speaks every second. */
export const LIFE_MS = 5_000;

// The braces keep all of it in one place of a cluster.
const INSTANCES = 'presence:{watching}';
const keyOf = (instance: string) => `${INSTANCES}:${instance}`;
/** A field beside the events', so that an instance without pages is told from one that is gone. */
const HERE = 'here';

export interface SharedCounts {
  /** Tells the others what this instance has, and gives the sums of all for these events. Without Redis: its own. */
  count(own: Counts): Promise<Counts>;
  /** This instance's pages are gone. */
  leave(): Promise<void>;
}

/**
 * Each instance writes all it has under a key of its own, which expires with it, and reads the others'. Nothing is added up in place,
 * so nothing can drift: a killed instance, an emptied Redis, an answer that came too late are right again with the next count.
 */
export function countTogether(redis: Redis | undefined, instance: string = randomUUID()): SharedCounts {
  if (!redis) return { count: async (own) => new Map(own), leave: async () => undefined };

  async function write(own: Counts): Promise<string[]> {
    const fields = Object.fromEntries([...own].map(([eventId, pages]) => [String(eventId), String(pages)]));
    const answers = await redis!.ask((client) =>
      client
        .multi()
        .del(keyOf(instance))
        .hSet(keyOf(instance), { ...fields, [HERE]: '1' })
        .pExpire(keyOf(instance), LIFE_MS)
        .sAdd(INSTANCES, instance)
        .sMembers(INSTANCES)
        .exec(),
    );
    return (answers.at(-1) as unknown as string[]).filter((other) => other !== instance);
  }

  async function read(others: string[], events: number[]): Promise<Counts[]> {
    const fields = [HERE, ...events.map(String)];
    const rows = await redis!.ask((client) => Promise.all(others.map((other) => client.hmGet(keyOf(other), fields))));
    const gone = others.filter((_, index) => rows[index]?.[0] == null);
    if (gone.length > 0) await redis!.ask((client) => client.sRem(INSTANCES, gone));
    return rows.map(([, ...pages]) => new Map(events.map((eventId, index) => [eventId, Number(pages[index] ?? 0)])));
  }

  return {
    count: async (now) => {
      // As it is now: pages come and go while Redis is asked.
      const own = new Map(now);
      const sums = new Map(own);
      try {
        const others = await read(await write(own), [...own.keys()]);
        for (const other of others) for (const [eventId, pages] of other) sums.set(eventId, sums.get(eventId)! + pages);
      } catch {
        return own; // the connection says so in the log
      }
      return sums;
    },
    leave: async () => {
      await redis
        .ask((client) => client.multi().del(keyOf(instance)).sRem(INSTANCES, instance).exec())
        .catch(() => undefined); // then it expires
    },
  };
}
