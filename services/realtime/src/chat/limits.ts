import type { PlainText } from '@beltway/contracts/problems/texts';
import { HttpProblem } from '@beltway/kit/problems';
import { quota, tooManyRequests, type Quota, type Taken } from '@beltway/kit/rate-limit';
import type { Redis } from '@beltway/kit/redis';
import type { Guest } from './guests.ts';
import { personKey, type Person } from './people.ts';

/** How many messages and reactions: services/realtime/PRODUCT.md#chat */
const ACCOUNT = { name: 'chat-account', points: 15, perSeconds: 30 };
const GUEST = { name: 'chat-guest', points: 5, perSeconds: 30 };
/** Of all guests of a network: a campus shares one, and a new key costs nothing. */
const NETWORK = { name: 'chat-network', points: 20, perSeconds: 30 };
/** Of all guests in one room: however many networks a flood has, those with accounts can still be read. */
const ROOM_GUESTS = { name: 'chat-room-guests', points: 60, perSeconds: 30 };
/** Of all guests of a network in one room, in the seconds of its slow mode: it is for one person, and a new key costs nothing. */
const SLOWED_GUESTS = { name: 'chat-slowed-guests', points: 4 };
/** As many as a network may read by HTTP: who comes with an old number has up to 200 messages read from the database. */
const JOINS = { name: 'chat-joins', points: 3_000, perSeconds: 60 };
const REACTIONS = { name: 'chat-reactions', points: 30, perSeconds: 30 };
const NETWORK_REACTIONS = { name: 'chat-network-reactions', points: 60, perSeconds: 30 };

export interface ChatLimits {
  /** Throws 429 when this person, or guests of their network together, have written enough for now. */
  write(person: Person): Promise<void>;
  /** As `write`, of all guests in a room, or of a network while slow mode is on there. For who may write there at all. */
  writeAsGuest(room: { room: string; slowModeSeconds: number }, guest: Guest): Promise<void>;
  react(person: Person): Promise<void>;
  /** Throws 429 when pages of this network have come into rooms too often. Each instance counts for itself. */
  join(address: string): Promise<void>;
}

type Why = 'quickly' | 'guest' | 'network' | 'room' | 'reactions' | 'reactions-network';

const refuse = ({ resetsIn }: Taken, why: Why): never => {
  throw new HttpProblem<PlainText>(429, `too-many-messages.${why}`, { retryAfter: resetsIn });
};

/** Counted over all instances where there is Redis. `off`: nothing is counted, for measuring. */
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
  /** By the seconds of slow mode: what was counted in longer ones does not hold in shorter ones. */
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
      // In this order: what is refused for one guest takes nothing from the others.
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
