import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Pool } from 'pg';
import { uuidFrom } from '@beltway/event-store';
import { ago } from '@beltway/kit/kysely';
import { network } from '@beltway/kit/network';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import { lasts } from './queries.ts';

/** A person without an account. */
export interface Guest {
  guestId: string;
  /** False for the guest that all clients of a network without a key share. This shared guest cannot own messages. */
  hasKey: boolean;
  /** The browser's IP address as the gateway saw it. */
  address: string;
  /** An IPv4 address, or a /64 of IPv6. */
  network: string;
}

export interface Guests {
  /** A new key, for a browser that has none. */
  newKey(): string;
  /** Whether the server made this key. */
  isKey(key: unknown): key is string;
  /** The guest with this key at this IP address. Without a key from this server, the guest that the network shares. */
  guestOf(key: unknown, address: string): Guest;
  /**
   * Records the guest's network, so that a mute applies in every network that the guest wrote from. Otherwise a guest
   * could escape a mute by switching networks.
   */
  note(guest: Guest): Promise<void>;
  /** Whether a guest of this network is muted in the room now, whatever key the guest uses. */
  isMuted(room: string, guest: Guest): Promise<boolean>;
  /** Deletes guests that were not seen for a month and are muted nowhere. */
  sweep(): Promise<void>;
}

/** 128 random bits and 128 bits of their HMAC, as 43 characters. */
const RANDOM_BYTES = 16;
const KEY = /^[\w-]{43}$/;

/** The key under which mutes refer to a guest `g`. */
const PERSON = sql<string>`'guest:' || g.guest_id`;

/** This database's secret key, which is used to make guests' keys and digests of networks. Created at the first use. */
async function databaseKey(pool: Pool): Promise<Buffer> {
  const keys = kysely(pool);
  await keys
    .insertInto('chatKeys')
    .values({ id: 1, key: randomBytes(32) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await keys.selectFrom('chatKeys').select('key').executeTakeFirstOrThrow()).key;
}

/** A guest is identified by a key that the server made (as for orders, docs/decisions/0023), or else by the network. */
export async function openGuests(pool: Pool): Promise<Guests> {
  const secret = await databaseKey(pool);
  const seal = (random: Buffer) =>
    createHmac('sha256', secret).update('guest').update(random).digest().subarray(0, RANDOM_BYTES);
  const digestOf = (name: string) =>
    createHmac('sha256', secret).update('network').update(name).digest().subarray(0, 16);

  /** The random part of a key, if this server made the key. */
  function opened(key: unknown): Buffer | undefined {
    if (typeof key !== 'string' || !KEY.test(key)) return undefined;
    const bytes = Buffer.from(key, 'base64url');
    const random = bytes.subarray(0, RANDOM_BYTES);
    return timingSafeEqual(seal(random), bytes.subarray(RANDOM_BYTES)) ? random : undefined;
  }

  return {
    newKey: () => {
      const random = randomBytes(RANDOM_BYTES);
      return Buffer.concat([random, seal(random)]).toString('base64url');
    },
    isKey: (key): key is string => opened(key) !== undefined,
    guestOf: (key, address) => {
      const from = network(address);
      const own = opened(key);
      const random = own ?? digestOf(`guest ${from}`);
      // The guest id in the log or in a mute is public, and does not reveal the key.
      const guestId = uuidFrom(`guest ${hash('sha256', random, 'hex')}`);
      return { guestId, hasKey: own !== undefined, address, network: from };
    },
    note: async ({ guestId, network: from }) => {
      await kysely(pool)
        .insertInto('chatGuests')
        .values({ guestId, network: digestOf(from) })
        .onConflict((conflict) =>
          conflict
            .columns(['guestId', 'network'])
            .doUpdateSet(({ fn }) => ({ seenAt: fn<Date>('now') }))
            .where('chatGuests.seenAt', '<', ago('1 hour')),
        )
        .execute();
    },
    isMuted: async (room, { network: from }) => {
      const mute = await kysely(pool)
        .selectFrom('chatGuests as g')
        .innerJoin('chatMutes as m', (join) => join.on('m.person', '=', PERSON))
        .select('m.seq')
        .where('m.room', '=', room)
        .where('g.network', '=', digestOf(from))
        .where(lasts('m.until'))
        .limit(1)
        .executeTakeFirst();
      return mute !== undefined;
    },
    sweep: async () => {
      await kysely(pool)
        .deleteFrom('chatGuests as g')
        .where('g.seenAt', '<', ago('30 days'))
        .where(({ exists, not, selectFrom }) =>
          not(
            exists(selectFrom('chatMutes as m').select('m.seq').where('m.person', '=', PERSON).where(lasts('m.until'))),
          ),
        )
        .execute();
    },
  };
}
