import { setTimeout as pause } from 'node:timers/promises';
import { buy, type Shop } from './buyer.ts';
import { attemptOf } from './plan.ts';

/** All personal data of a leaver contains this mark: name, email address, comment, contact of an event. */
export const MARK = 'leaver-\\d+-gone';
const markOf = (n: number): string => `leaver-${n}-gone`;

const PASSWORD = 'orange-line-42';
const DAY_MS = 86_400_000;
/** Starts one leaver every 1.5 seconds, so that password hashing runs concurrently with the load. */
const EVERY_MS = 1_500;
const AT_ONCE = 6;
/** How long a person retries to delete the account while one of the account's orders is in progress. */
const PATIENCE_MS = 40_000;
/** Leavers' purchases have their own range of attempt numbers. */
const FIRST_ATTEMPT = 1_000_000;

export interface LeaversOptions extends Shop {
  seed: string;
  sales: () => number[];
  over: AbortSignal;
}

export interface Leavers {
  /** Number of acknowledged erasures. */
  erased(): number;
  stop(): Promise<void>;
}

/**
 * Simulates people who create an account, comment, buy tickets, sometimes organize an event, and delete their account,
 * while processes are killed.
 */
export function startLeavers(options: LeaversOptions): Leavers {
  const { client, seed, sales, over } = options;
  const stopping = new AbortController();
  const under = new Set<Promise<void>>();
  let erased = 0;

  async function play(n: number): Promise<void> {
    const mark = markOf(n);
    const email = `${mark}@example.test`;
    const joined = await client.insist({
      path: '/api/auth/register',
      body: { name: `Lee ${mark}`, email, password: PASSWORD, role: n % 3 === 0 ? 'business' : 'user' },
      headers: { 'idempotency-key': `join-${seed}-${n}` },
      asked: { call: 'join', key: mark },
      read: ({ outcome, body }) =>
        outcome === 'acknowledged' ? { result: String((body['user'] as { id: number }).id) } : {},
    });
    const token = joined.body['token'];
    if (joined.outcome !== 'acknowledged' || typeof token !== 'string') return;
    const signed = { authorization: `Bearer ${token}` };
    const eventId = sales().at(-1 - (n % 3));
    if (n % 3 === 0) await organize(n, email, signed);
    if (eventId !== undefined) {
      await client.insist({
        path: `/api/events/${eventId}/comments`,
        body: { text: `See you there, ${mark}` },
        headers: { ...signed, 'idempotency-key': `comment-${seed}-${n}` },
        asked: { call: 'look', key: `comment-${n}` },
      });
      const holder = { ticketHolderName: `Lee ${mark}`, ticketHolderEmail: email };
      await buy(options, attemptOf(seed, FIRST_ATTEMPT + n, 1), eventId, token, holder);
    }
    await leave(mark, signed, String((joined.body['user'] as { id: number }).id));
  }

  /** Creates an event without ticket sales, because sold tickets would prevent the organizer's erasure. */
  const organize = (n: number, contactEmail: string, signed: Record<string, string>) =>
    client.insist({
      path: '/api/events',
      body: {
        ...{
          title: `Farewell ${n}`,
          description: 'A night that its organizer leaves.',
          location: 'Shaw, Washington, DC',
        },
        ...{ eventDate: new Date(Date.now() + 7 * DAY_MS).toISOString(), eventStartTime: '20:00', eventEndTime: '' },
        ...{ tags: [], imageUrl: '', hasTickets: true, ticketSalesEnabled: true, ticketPrice: 10, totalTickets: 5 },
        ...{ isSponsored: false, promotionLevel: 'none', contactEmail },
      },
      headers: { ...signed, 'idempotency-key': `farewell-${seed}-${n}` },
      asked: { call: 'open-sale', key: `farewell-${n}`, capacity: 5 },
      read: ({ outcome, body }) => (outcome === 'acknowledged' ? { eventId: Number(body['id']) } : {}),
    });

  /** Retries while something prevents erasure. A deleted account can no longer sign in. */
  async function leave(mark: string, signed: Record<string, string>, id: string): Promise<void> {
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until && !over.aborted; await pause(1_000)) {
      const { outcome, status } = await client.insist({
        method: 'DELETE',
        path: '/api/users/me',
        body: { password: PASSWORD },
        headers: signed,
        asked: { call: 'erase', key: mark },
        read: ({ outcome }) => (outcome === 'acknowledged' ? { result: id } : {}),
      });
      if (outcome === 'acknowledged' || status === 401) erased++;
      if (status !== 409) return;
    }
  }

  async function run(): Promise<void> {
    for (let n = 1; !stopping.signal.aborted; n++) {
      const one = play(n).finally(() => under.delete(one));
      under.add(one);
      await pause(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      while (under.size >= AT_ONCE && !stopping.signal.aborted) await pause(50);
    }
  }
  const running = run();
  return {
    erased: () => erased,
    stop: async () => {
      stopping.abort();
      await running;
      await Promise.all(under);
    },
  };
}
