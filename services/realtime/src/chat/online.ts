import type { Redis } from '@beltway/kit/redis';

const COUNT_EVERY_MS = 1_000;
/** An instance that says nothing for so long has nobody any more. */
const LIFE_MS = 5_000;
/** People of one network without an account that count: keys cost nothing. */
const GUESTS_OF_A_NETWORK = 64;

export interface Present {
  /** An account or a guest, the same over all their pages. */
  person: string;
  /** Of a guest. */
  network?: string | undefined;
}

export interface OnlinePeople {
  /** One more page of this person is in the room; what it gives is called when it leaves. */
  come(room: string, present: Present): () => void;
  /** As counted last, with who is here now. */
  count(room: string): number;
  stop(): Promise<void>;
}

interface Here {
  /** Pages of each person. */
  people: Map<string, number>;
  /** Guests of each network, that count. */
  networks: Map<string, Map<string, number>>;
  /** As all instances together had it. */
  total: number;
  told: number;
  /** Changed since the others were told. */
  isNew: boolean;
}

/** All that the instances have of a room, each person once: KEYS[1] is its list of instances, ARGV[1] this one, ARGV[2] how long it lives, then its people. */
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

// The braces keep all of a room in one place of a cluster.
const keyOf = (room: string) => `chat:online:{${room}}`;

/**
 * People in each room, counted once a second over all instances: an account once however many pages it has, a guest once by their key. Each instance
 * writes all it has under a key that expires with it, so nothing can drift. Without Redis it counts its own.
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
      return people.size; // the connection says so in the log
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
      await Promise.all(leaving); // else they expire
    },
  };
}
