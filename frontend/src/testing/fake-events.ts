import type { Event, EventPage } from '@beltway/contracts/catalog';
import type { FakeCall } from './fake-api.ts';

/** `GET /api/events` of these events: a list, or with parameters the pages of a search by words and tags, in the order given. */
export const fakeEvents =
  (events: readonly Event[]) =>
  ({ path }: FakeCall): readonly Event[] | EventPage => {
    const params = new URL(path, 'http://beltway.test').searchParams;
    if (params.size === 0) return events;
    const words = (params.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    const tags = (params.get('tags') ?? '').split(',').filter(Boolean);
    const found = events.filter(
      (event) =>
        words.every((word) => event.title.toLowerCase().includes(word)) &&
        tags.every((tag) => event.tags.includes(tag)),
    );
    const from = Number(params.get('cursor') ?? 0);
    const to = from + Number(params.get('limit') ?? 24);
    return { items: found.slice(from, to), nextCursor: to < found.length ? String(to) : null };
  };
