import type { Event } from '@beltway/contracts/catalog/events';
import { openConnection, requestOf } from '../support/connection.ts';

/**
 * A marker in private data: the readers' names, cookies and token owners, and the organizer's email address. The marker
 * must not appear in any public response.
 */
export const CANARY = 'canary';
/** With a purge, a change must be visible this many ms after the write was acknowledged. */
const PURGE_MS = 100;
/** Without a purge, a change must be visible this many ms after the write was acknowledged. */
const FRESH_MS = 1_000;

/** The state to expect from the acknowledged writes. Times come from `performance.now()`. */
export interface Truth {
  /** The edited event; its title ends with the number of the edit. */
  eventId: number;
  edits: Array<{ edit: number; at: number }>;
  published: Array<{ id: number; at: number }>;
  /** When the catalog's own response first had no tickets left. */
  soldOutAt?: number;
  /** While the catalog is down, responses need not be fresh, but every request must get one. */
  isDown: boolean;
}

export interface Counts {
  reads: number;
  stale: number;
  private: number;
  unanswered: number;
  downReads: number;
  /** The first few faults of each kind. */
  examples: string[];
}

/** Readers on separate connections that request the list, the event and a search in turn, and check each answer. */
export function startReaders(port: number, tokens: string[], truth: Truth, readers: number) {
  const counts: Counts = { reads: 0, stale: 0, private: 0, unanswered: 0, downReads: 0, examples: [] };
  let state: 'on' | 'paused' | 'over' = 'on';
  const count = (what: 'stale' | 'private' | 'unanswered', example: string) => {
    counts[what]++;
    if (counts.examples.length < 10) counts.examples.push(`${what}: ${example}`);
  };

  const editOf = ({ title }: Event) => Number(/ (\d+)$/.exec(title)?.[1] ?? -1);
  const isStale = (path: string, events: Event[], asked: number): string | undefined => {
    const event = events.find(({ id }) => id === truth.eventId);
    const due = truth.edits.findLast(({ at }) => at + PURGE_MS < asked)?.edit ?? 0;
    if (event && editOf(event) < due) return `${path} shows edit ${editOf(event)}, not ${due}`;
    if (event && truth.soldOutAt !== undefined && truth.soldOutAt + FRESH_MS < asked)
      if (event.soldTickets + event.heldTickets < (event.totalTickets ?? 0)) return `${path} is not sold out`;
    if (path !== '/api/events') return undefined;
    const missing = truth.published.find(({ id, at }) => at + PURGE_MS < asked && !events.some((one) => one.id === id));
    return missing && `${path} has no event ${missing.id}`;
  };

  const one = async (n: number) => {
    const connection = openConnection(port);
    const headers = [
      `authorization: Bearer ${tokens[n % tokens.length]}`,
      `cookie: session=${CANARY}-${n}`,
      `x-order-key: ${CANARY}-${n}`,
      `accept-language: ${CANARY}`,
    ];
    const paths = ['/api/events', `/api/events/${truth.eventId}`, '/api/events?q=edited&sort=soonest'];
    for (let turn = n; state !== 'over'; turn++) {
      await new Promise((resolve) => setTimeout(resolve, state === 'paused' ? 50 : 20));
      if (state !== 'on') continue;
      const path = paths[turn % paths.length]!;
      const spelt = turn % 5 === 0 ? `${path}${path.includes('?') ? '&' : '?'}${CANARY}=${n}` : path;
      const wasDown = truth.isDown;
      const asked = performance.now();
      const answer = await connection.send(requestOf('GET', spelt, headers)).catch(() => undefined);
      counts.reads++;
      if (wasDown) counts.downReads++;
      if (answer?.status !== 200) {
        count('unanswered', `${spelt} ${answer?.status ?? 'broke off'}`);
        continue;
      }
      const text = answer.body.toString('utf8');
      if (text.toLowerCase().includes(CANARY)) count('private', spelt);
      if (wasDown || truth.isDown) continue;
      const body = JSON.parse(text) as Event | Event[] | { items: Event[] };
      const events = Array.isArray(body) ? body : 'items' in body ? body.items : [body];
      const why = isStale(path, events, asked);
      if (why) count('stale', why);
    }
    connection.close();
  };
  const all = Promise.all(Array.from({ length: readers }, (_, n) => one(n)));
  return {
    counts,
    pause: () => void (state = 'paused'),
    resume: () => void (state = 'on'),
    end: async () => {
      state = 'over';
      await all;
    },
  };
}
