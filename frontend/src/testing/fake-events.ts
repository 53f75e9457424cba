import type { Event, EventPage } from '@beltway/contracts/catalog/events';
import { startOf } from '@beltway/contracts/common/times';
import type { FakeCall } from './fake-api.ts';

/** Whether the event is within the days and map area of a search. */
function isInView(event: Event, params: URLSearchParams): boolean {
  const at = startOf(event).toISOString();
  const [west = -180, south = -90, east = 180, north = 90] = params.get('within')?.split(',').map(Number) ?? [];
  const isPlaced = event.place != null && !event.place.isApproximate;
  const { lat, lon } = isPlaced ? event.place! : { lat: Number.NaN, lon: Number.NaN };
  return (
    at >= (params.get('from') ?? '') &&
    at < (params.get('to') ?? '~') &&
    (!params.has('within') || (lon >= west && lon <= east && lat >= south && lat <= north)) &&
    (!params.has('unplaced') || !isPlaced)
  );
}

/**
 * Fakes `GET /api/events` with these events, in the given order: a list, or with parameters the pages of a search by
 * words and tags.
 */
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
        tags.every((tag) => event.tags.includes(tag)) &&
        isInView(event, params),
    );
    const from = Number(params.get('cursor') ?? 0);
    const to = from + Number(params.get('limit') ?? 24);
    return { items: found.slice(from, to), nextCursor: to < found.length ? String(to) : null };
  };
