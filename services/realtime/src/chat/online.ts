import type { Redis } from '@beltway/kit/redis';

const COUNT_EVERY_MS = 1_000;
/** An instance that reports nothing for this long no longer counts. */
const LIFE_MS = 5_000;
/** Maximum number of guests counted in a network, because guest keys are free. */
const GUESTS_OF_A_NETWORK = 64;

export interface Present {
  /** The key of an account or guest, the same on all pages of this person. */
  person: string;
  /** A guest's network. */
  network?: string | undefined;
}

export interface OnlinePeople {
  /** Adds a page of this person to the room. The returned function removes the page. */
  come(room: string, present: Present): () => void;
  /** The last total, or the number of people on this instance if that is larger. */
  count(room: string): number;
  stop(): Promise<void>;
}

interface Here {
  /** The number of pages of each person. */
  people: Map<string, number>;
  /** For each network, the number of pages of each counted guest. */
  networks: Map<string, Map<string, number>>;
  /** The total of all instances. */
  total: number;
  told: number;
  /** Whether something changed since the other instances were updated. */
  isNew: boolean;
}

/**
 * Counts the people of a room over all instances, each person once. KEYS[1] is the room's list of instances. ARGV[1] is
 * this instance, ARGV[2] the lifetime of this instance's entry, and the other arguments are this instance's people.
 */
const COUNT = `
local own = KEYS[1] .. ':' .. ARGV[1]
redis.call('DEL', own)
for at = 3, #ARGV, 500 do redis.call('SADD', own, unpack(ARGV, at, math.min(at + 499, #ARGV))) end
redis.call('SADD', own, '')
redis.call('PEXPIRE', own, ARGV[2])
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
local keys = {}
for _, one in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local key = KEYS[1] .. ':' .. one
  if redis.call('EXISTS', key) == 1 then table.insert(keys, key) else redis.call('SREM', KEYS[1], one) end
end
return #redis.call('SUNION', unpack(keys)) - 1`;

// The braces keep all keys of a room in one slot of a cluster.
const keyOf = (room: string) => `chat:online:{${room}}`;

/**
 * Counts the people in each room once a second over all instances. An account counts once, however many pages it has; a
 * guest key counts once. Each instance writes its full list under a key with an expiry, so counts cannot drift. Without
 * Redis, each instance counts its own people.
 */
export function onlinePeople(
  redis: Redis | undefined,
  instance: string,
  tell: (room: string, online: number) => void,
  everyMs = COUNT_EVERY_MS,
): OnlinePeople {
  const rooms = new Map<string, Here>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;

  async function total(room: string, { people }: Here): Promise<number> {
    if (!redis?.usable()) return people.size;
    try {
      const values = [instance, String(LIFE_MS), ...people.keys()];
      return Number(await redis.ask((client) => client.eval(COUNT, { keys: [keyOf(room)], arguments: values })));
    } catch {
      return people.size; // the Redis connection logs the error
    }
  }

  async function countAll(): Promise<void> {
    for (const [room, here] of rooms) {
      here.isNew = false;
      here.total = await total(room, here);
      if (stopped) return;
      if (here.people.size === 0 && !here.isNew) rooms.delete(room);
      else if (here.total !== here.told) {
        here.told = here.total;
        tell(room, here.total);
      }
    }
  }
  function begin(): void {
    if (timer || stopped) return;
    timer = setTimeout(
      () =>
        void countAll().finally(() => {
          timer = undefined;
          if (rooms.size > 0) begin();
        }),
      everyMs,
    );
  }

  function add(counts: Map<string, number>, one: string, pages: number): void {
    const left = (counts.get(one) ?? 0) + pages;
    if (left > 0) counts.set(one, left);
    else counts.delete(one);
  }

  return {
    come: (room, { person, network }) => {
      const here: Here = rooms.get(room) ?? { people: new Map(), networks: new Map(), total: 0, told: -1, isNew: true };
      rooms.set(room, here);
      if (network !== undefined) {
        const guests = here.networks.get(network) ?? new Map<string, number>();
        if (!guests.has(person) && guests.size >= GUESTS_OF_A_NETWORK) return () => undefined;
        here.networks.set(network, guests);
        add(guests, person, 1);
      }
      if (!here.people.has(person)) here.total++;
      here.isNew = true;
      add(here.people, person, 1);
      begin();
      return () => {
        add(here.people, person, -1);
        here.isNew = true;
        if (network === undefined) return;
        const guests = here.networks.get(network)!;
        add(guests, person, -1);
        if (guests.size === 0) here.networks.delete(network);
      };
    },
    count: (room) => {
      const here = rooms.get(room);
      return here ? Math.max(here.total, here.people.size) : 0;
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      const leaving = [...rooms.keys()].map((room) =>
        redis?.ask((client) => client.sRem(keyOf(room), instance)).catch(() => undefined),
      );
      await Promise.all(leaving); // if this fails, the entries expire
    },
  };
}
