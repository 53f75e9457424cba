import { comingUp } from '@beltway/contracts/catalog/coming-up';
import { Event } from '@beltway/contracts/catalog/events';
import { Organizer } from '@beltway/contracts/catalog/organizers';
import type { ResponseCache } from '../response-cache/response-cache.ts';
import type { Representations } from '../response-cache/representations.ts';

/** `null`: there is none. Undefined: catalog did not say, and the page goes without. */
export type Found<T> = T | null | undefined;

/** What everybody may know, for the page's head and first screen. Never rejects, and never waits for long. */
export interface PublicData {
  event(id: number): Promise<Found<Event>>;
  organizer(id: number): Promise<Found<Organizer>>;
  /** The events that the home page begins with. */
  comingUp(now: Date): Promise<Event[]>;
}

/** A page that comes late is worse than one whose script asks for what is missing. */
const LIMIT_MS = 1_000;

/** One odd row spoils nothing. */
const eventsIn = (body: unknown): Event[] => (body as unknown[]).flatMap((event) => Event.safeParse(event).data ?? []);

/** Reads by the response cache: a page asks no service for what readers' calls have asked for already. */
export function publicData(cache: Pick<ResponseCache, 'read'>): PublicData {
  /** Each version of an answer is parsed once. */
  const parsed = new WeakMap<Representations, unknown>();

  async function read<T>(url: string, parse: (body: unknown) => T | undefined): Promise<Found<T>> {
    const answer = await cache.read(url, LIMIT_MS);
    if (!answer) return answer;
    if (parsed.has(answer)) return parsed.get(answer) as T | undefined;
    let value: T | undefined;
    try {
      const { body } = await answer.make('identity');
      value = parse(JSON.parse(String(body)));
    } catch {
      value = undefined;
    }
    parsed.set(answer, value);
    return value;
  }

  return {
    event: (id) => read(`/api/events/${id}`, (body) => Event.safeParse(body).data),
    organizer: (id) => read(`/api/organizers/${id}`, (body) => Organizer.safeParse(body).data),
    // The list that the home page itself asks for.
    comingUp: async (now) => comingUp((await read('/api/events', eventsIn)) ?? [], now),
  };
}
