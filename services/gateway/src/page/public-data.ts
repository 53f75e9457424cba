import { comingUp } from '@beltway/contracts/catalog/coming-up';
import { Event } from '@beltway/contracts/catalog/events';
import { Organizer } from '@beltway/contracts/catalog/organizers';
import type { ResponseCache } from '../response-cache/response-cache.ts';
import type { Representations } from '../response-cache/representations.ts';

/**
 * `null`: the requested thing does not exist. Undefined: catalog did not respond, and the page is sent without the
 * data.
 */
export type Found<T> = T | null | undefined;

/** Public data for a page's head and first screen. Reads never reject, and the wait is bounded. */
export interface PublicData {
  event(id: number): Promise<Found<Event>>;
  organizer(id: number): Promise<Found<Organizer>>;
  /** The organizer's next event in a list, which is empty without one. */
  nextOf(id: number): Promise<Found<Event[]>>;
  /** The events at the top of the home page. */
  comingUp(now: Date): Promise<Event[]>;
}

/** Maximum wait for catalog. After it, the page is sent without the data, and the page's script fetches them. */
const LIMIT_MS = 1_000;

/** Returns the valid events of an answer and skips invalid rows. */
const eventsIn = (body: unknown): Event[] => (body as unknown[]).flatMap((event) => Event.safeParse(event).data ?? []);

/** Validates only the first of up to a hundred events. */
const firstUpcoming = (body: unknown): Event[] => eventsIn((body as { upcoming: unknown[] }).upcoming.slice(0, 1));

/** Reads through the response cache. Data that visitors' calls have already fetched cost no further call. */
export function publicData(cache: Pick<ResponseCache, 'read'>): PublicData {
  /** Parsed bodies. Concurrent readers get the same object, so their pages share one render. */
  const parsed = new WeakMap<Representations, Promise<unknown>>();

  const parsedFrom = async (answer: Representations, parse: (body: unknown) => unknown): Promise<unknown> => {
    try {
      const { body } = await answer.make('identity');
      return parse(JSON.parse(String(body)));
    } catch {
      return undefined;
    }
  };

  async function read<T>(url: string, parse: (body: unknown) => T | undefined): Promise<Found<T>> {
    const answer = await cache.read(url, LIMIT_MS);
    if (!answer) return answer;
    let value = parsed.get(answer);
    if (!value) parsed.set(answer, (value = parsedFrom(answer, parse)));
    return value as Promise<T | undefined>;
  }

  return {
    event: (id) => read(`/api/events/${id}`, (body) => Event.safeParse(body).data),
    organizer: (id) => read(`/api/organizers/${id}`, (body) => Organizer.safeParse(body).data),
    nextOf: (id) => read(`/api/organizers/${id}/events`, firstUpcoming),
    // The home page's script requests the same list.
    comingUp: async (now) => comingUp((await read('/api/events', eventsIn)) ?? [], now),
  };
}
