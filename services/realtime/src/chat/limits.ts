import type { PlainText } from '@beltway/contracts/problems/texts';
import { HttpProblem } from '@beltway/kit/problems';
import { quota, tooManyRequests, type Quota, type Taken } from '@beltway/kit/rate-limit';
import type { Redis } from '@beltway/kit/redis';
import type { Guest } from './guests.ts';
import { personKey, type Person } from './people.ts';

/** Limits on messages and reactions: services/realtime/PRODUCT.md#chat */
const ACCOUNT = { name: 'chat-account', points: 15, perSeconds: 30 };
const GUEST = { name: 'chat-guest', points: 5, perSeconds: 30 };
/** Shared by all guests of a network, such as a campus, because new guest keys are free. */
const NETWORK = { name: 'chat-network', points: 20, perSeconds: 30 };
/**
 * Shared by all guests in one room. Even if a flood of guests uses many networks, the messages of accounts stay
 * readable.
 */
const ROOM_GUESTS = { name: 'chat-room-guests', points: 60, perSeconds: 30 };
/**
 * Shared by all guests of a network in one room, for each slow-mode interval. Slow mode limits each person, but new
 * guest keys are free.
 */
const SLOWED_GUESTS = { name: 'chat-slowed-guests', points: 4 };
/**
 * The same limit as for a network's reads by HTTP, because a join with an old number reads up to 200 messages from the
 * database.
 */
const JOINS = { name: 'chat-joins', points: 3_000, perSeconds: 60 };
const REACTIONS = { name: 'chat-reactions', points: 30, perSeconds: 30 };
const NETWORK_REACTIONS = { name: 'chat-network-reactions', points: 60, perSeconds: 30 };

export interface ChatLimits {
  /** Throws 429 when this person, or all guests of the person's network together, wrote too much. */
  write(person: Person): Promise<void>;
  /**
   * Like `write`, but for all guests in a room and, while slow mode is on, all guests of a network. Must be called only
   * for guests who may write in this room.
   */
  writeAsGuest(room: { room: string; slowModeSeconds: number }, guest: Guest): Promise<void>;
  react(person: Person): Promise<void>;
  /** Throws 429 when pages of this network joined rooms too often. Each instance counts only its own joins. */
  join(address: string): Promise<void>;
}

type Why = 'quickly' | 'guest' | 'network' | 'room' | 'reactions' | 'reactions-network';

const refuse = ({ resetsIn }: Taken, why: Why): never => {
  throw new HttpProblem<PlainText>(429, `too-many-messages.${why}`, { retryAfter: resetsIn });
};

/** With Redis, counts over all instances. `off`: no limits, for benchmarks. */
export function chatLimits(redis: Redis | undefined, off: boolean): ChatLimits {
  const nothing = async () => undefined;
  if (off) return { write: nothing, writeAsGuest: nothing, react: nothing, join: nothing };
  const take = (limit: Quota) => quota(limit, redis);
  const account = take(ACCOUNT);
  const guests = take(GUEST);
  const network = take(NETWORK);
  const roomGuests = take(ROOM_GUESTS);
  const reactions = take(REACTIONS);
  const networkReactions = take(NETWORK_REACTIONS);
  const joins = quota(JOINS);
  /** Limits for each slow-mode interval, so that counts of a longer interval do not apply to a shorter interval. */
  const slowed = new Map<number, ReturnType<typeof take>>();
  function slowedBy(perSeconds: number): ReturnType<typeof take> {
    const known = slowed.get(perSeconds);
    if (known) return known;
    const { name, points } = SLOWED_GUESTS;
    const made = take({ name: `${name}-${perSeconds}`, points, perSeconds });
    slowed.set(perSeconds, made);
    return made;
  }
  const checked = async (taking: Promise<Taken>, why: Why) => {
    const taken = await taking;
    if (!taken.allowed) refuse(taken, why);
  };
  return {
    async write(person) {
      if (person.caller) return checked(account(personKey(person)), 'quickly');
      // The guest's own limit first, so that a message refused for one guest is not charged to the network's other
      // guests.
      await checked(guests(personKey(person)), 'guest');
      await checked(network(person.guest.address), 'network');
    },
    async writeAsGuest({ room, slowModeSeconds }, { address }) {
      if (slowModeSeconds > 0) await checked(slowedBy(slowModeSeconds)(address, room), 'network');
      await checked(roomGuests(room), 'room');
    },
    async react(person) {
      await checked(reactions(personKey(person)), 'reactions');
      if (person.guest) await checked(networkReactions(person.guest.address), 'reactions-network');
    },
    async join(address) {
      const taken = await joins(address);
      if (!taken.allowed) throw tooManyRequests(taken);
    },
  };
}
