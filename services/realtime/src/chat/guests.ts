import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Pool } from 'pg';
import { uuidFrom } from '@beltway/event-store';
import { network } from '@beltway/kit/network';

/** Who is somewhere without an account. */
export interface Guest {
  guestId: string;
  /** False: all who have no key share this guest, so nothing of it is anyone's in particular. */
  hasKey: boolean;
  /** Of the browser, as the gateway saw it. */
  address: string;
  /** An IPv4 address, or a /64 of IPv6. */
  network: string;
}

export interface Guests {
  /** A new key, for a browser that has none. */
  newKey(): string;
  /** Whether the server made it. */
  isKey(key: unknown): key is string;
  /** The guest with this key at this address; without a key of ours it is the network's own guest. */
  guestOf(key: unknown, address: string): Guest;
  /** Notes from where the guest writes, so that a mute holds for the network too: for each they wrote from, or one walk outside would lift it. */
  note(guest: Guest): Promise<void>;
  /** Whether somebody of the guest's network is muted in the room now, under whatever key. */
  isMuted(room: string, guest: Guest): Promise<boolean>;
  /** Forgets guests that were not seen for a month and are muted nowhere. */
  sweep(): Promise<void>;
}

/** 128 bits of chance, and as many of their HMAC, as 43 characters. */
const RANDOM_BYTES = 16;
const KEY = /^[\w-]{43}$/;

const NOTE = `insert into chat_guests (guest_id, network) values ($1, $2)
  on conflict (guest_id, network) do update set seen_at = now() where chat_guests.seen_at < now() - interval '1 hour'`;
const MUTED = `select exists (
    select from chat_guests g join chat_mutes m on m.person = 'guest:' || g.guest_id
    where m.room = $1 and g.network = $2 and (m.until is null or m.until > now())
  ) as muted`;
const SWEEP = `delete from chat_guests g where seen_at < now() - interval '30 days'
  and not exists (select from chat_mutes m where m.person = 'guest:' || g.guest_id and (m.until is null or m.until > now()))`;

/** The key of this database under which guests' keys are made and networks are kept; whoever needs it first makes it. */
async function databaseKey(pool: Pool): Promise<Buffer> {
  await pool.query('insert into chat_keys (id, key) values (1, $1) on conflict do nothing', [randomBytes(32)]);
  const { rows } = await pool.query<{ key: Buffer }>('select key from chat_keys');
  return rows[0]!.key;
}

/** Guests are known by keys that the server made (as orders are, docs/decisions/0023), or by their network. */
export async function openGuests(pool: Pool): Promise<Guests> {
  const secret = await databaseKey(pool);
  const seal = (random: Buffer) =>
    createHmac('sha256', secret).update('guest').update(random).digest().subarray(0, RANDOM_BYTES);
  const digestOf = (name: string) =>
    createHmac('sha256', secret).update('network').update(name).digest().subarray(0, 16);

  /** The chance in a key that is ours. */
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
      // What others read in the log or in a mute leads to no key.
      const guestId = uuidFrom(`guest ${hash('sha256', random, 'hex')}`);
      return { guestId, hasKey: own !== undefined, address, network: from };
    },
    note: async ({ guestId, network: from }) =>
      void (await pool.query({ name: 'chat-guest', text: NOTE, values: [guestId, digestOf(from)] })),
    isMuted: async (room, { network: from }) => {
      const values = [room, digestOf(from)];
      const { rows } = await pool.query<{ muted: boolean }>({ name: 'chat-guest-muted', text: MUTED, values });
      return rows[0]!.muted;
    },
    sweep: async () => void (await pool.query(SWEEP)),
  };
}
