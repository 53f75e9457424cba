import { Event } from '@beltway/contracts/catalog/events';
import { Organizer } from '@beltway/contracts/catalog/organizers';
import { startOf } from '@beltway/contracts/common/times';
import type { ResponseCache } from '../response-cache/response-cache.ts';
import type { Representations } from '../response-cache/representations.ts';

/** `null`: there is none. Undefined: catalog did not say, and the page goes without. */
export type Found<T> = T | null | undefined;

/** What everybody may know, for the page's head and first screen. Never rejects, and never waits for long. */
export interface PublicData {
  event(id: number): Promise<Found<Event>>;
  organizer(id: number): Promise<Found<Organizer>>;
  /** The event that the home page shows first. */
  nextUp(now: Date): Promise<Event | undefined>;
}

/** A page that comes late is worse than one whose script asks for what is missing. */
const LIMIT_MS = 1_000;

const startsAt = (event: Event): number => startOf(event).getTime();

/** One odd row spoils nothing. Soonest first. */
const upcomingIn = (body: unknown): Event[] =>
  (body as unknown[])
    .map((event) => Event.safeParse(event).data)
    .filter((event) => event?.status === 'published')
    .map((event) => event!)
    .sort((one, other) => startsAt(one) - startsAt(other));

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
    async nextUp(now) {
      // The list that the home page itself asks for; what has begun is not next there either (frontend/src/features/home/hero.tsx).
      const events = await read('/api/events', upcomingIn);
      return events?.find((event) => startsAt(event) > now.getTime());
    },
  };
}
