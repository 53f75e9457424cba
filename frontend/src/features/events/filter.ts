import type { Event } from '@beltway/contracts/catalog';
import { categoryOf } from '@beltway/contracts/categories';
import { hasTag } from '../../lib/event-facts.ts';

/** What the address says to show: ?q=, ?tag=, ?line= */
export interface EventFilter {
  q: string;
  tag: string;
  line: string;
}

export const readFilter = (params: URLSearchParams): EventFilter => ({
  q: params.get('q') ?? '',
  tag: params.get('tag') ?? '',
  line: params.get('line') ?? '',
});
export const isFiltering = ({ q, tag, line }: EventFilter): boolean => Boolean(q.trim() || tag || line);

/** Case and accents do not matter: "cafe" finds "Café". */
const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();

/** Events that have every word of `q` somewhere, the tag, and the category. */
export function filterEvents(events: readonly Event[], { q, tag, line }: EventFilter): Event[] {
  const words = fold(q).split(/\s+/).filter(Boolean);
  return events.filter((event) => {
    if (tag && !hasTag(event, tag)) return false;
    if (line && categoryOf(event.tags).line !== line) return false;
    const text = fold([event.title, event.description, event.location, ...event.tags].join(' '));
    return words.every((word) => text.includes(word));
  });
}
