import { HttpProblem } from '@beltway/kit/problems';
import { quota, type Quota, type Taken } from '@beltway/kit/rate-limit';
import type { Redis } from '@beltway/kit/redis';
import { personKey, type Person } from './people.ts';

/** How many messages and reactions: docs/product.md#chat */
const ACCOUNT = { name: 'chat-account', points: 15, perSeconds: 30 };
const GUEST = { name: 'chat-guest', points: 5, perSeconds: 30 };
/** Of all guests of a network: a campus shares one, and a new key costs nothing. */
const NETWORK = { name: 'chat-network', points: 20, perSeconds: 30 };
/** Of all guests in one room: however many networks a flood has, those with accounts can still be read. */
const ROOM_GUESTS = { name: 'chat-room-guests', points: 60, perSeconds: 30 };
const REACTIONS = { name: 'chat-reactions', points: 30, perSeconds: 30 };
const NETWORK_REACTIONS = { name: 'chat-network-reactions', points: 60, perSeconds: 30 };

export interface ChatLimits {
  /** Throws 429 when this person, or guests together, have written enough for now. */
  write(room: string, person: Person): Promise<void>;
  react(person: Person): Promise<void>;
}

const refuse = ({ resetsIn }: Taken, message: string): never => {
  throw new HttpProblem(429, 'too-many-messages', message, { retryAfter: resetsIn });
};

/** Counted over all instances where there is Redis. `off`: nothing is counted, for measuring. */
export function chatLimits(redis: Redis | undefined, off: boolean): ChatLimits {
  if (off) return { write: async () => undefined, react: async () => undefined };
  const take = (limit: Quota) => quota(limit, redis);
  const [account, guest, network, roomGuests] = [ACCOUNT, GUEST, NETWORK, ROOM_GUESTS].map(take) as [
    ReturnType<typeof take>,
    ReturnType<typeof take>,
    ReturnType<typeof take>,
    ReturnType<typeof take>,
  ];
  const reactions = take(REACTIONS);
  const networkReactions = take(NETWORK_REACTIONS);
  const checked = async (taking: Promise<Taken>, message: string) => {
    const taken = await taking;
    if (!taken.allowed) refuse(taken, message);
  };
  const QUICK = 'You write quickly. Please wait a moment.';
  return {
    async write(room, person) {
      if (person.caller) return checked(account(personKey(person)), QUICK);
      // In this order: what is refused for one guest takes nothing from the others.
      await checked(guest(personKey(person)), 'Guests can write a few messages a minute. Sign in to write more.');
      await checked(network(person.guest.network), 'Many guests write from your network. Sign in to write.');
      await checked(roomGuests(room), 'Many guests write here right now. Please wait, or sign in.');
    },
    async react(person) {
      await checked(reactions(personKey(person)), 'You react quickly. Please wait a moment.');
      if (person.guest) await checked(networkReactions(person.guest.network), 'Many guests react from your network.');
    },
  };
}
