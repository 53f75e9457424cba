import { Event, EventList } from '@beltway/contracts/catalog/events';
import { onFirstUse } from '@beltway/contracts/common/on-first-use';
import type { QueryClient } from '@tanstack/react-query';
import { eventQuery } from './event-queries.ts';

/** The data in the HTML beside the first screen that the gateway rendered (services/gateway/src/page/page.ts). */
interface FirstScreen {
  /** The language of the first screen's texts. */
  language: string;
  /** The event, on its page and its checkout. */
  event: () => Event | undefined;
  /** The events at the top of the home page. */
  comingUp: () => Event[] | undefined;
  /** The unparsed data, for a page that parses its own part. */
  raw: Record<string, unknown>;
}

function read(): FirstScreen | null {
  const screen = document.getElementById('first-screen');
  if (!screen) return null;
  const { lang } = screen;
  try {
    const said = JSON.parse(screen.textContent) as Record<string, unknown>;
    return {
      language: lang,
      raw: said,
      event: onFirstUse(() => Event.safeParse(said['event']).data),
      comingUp: onFirstUse(() => EventList.safeParse(said['comingUp']).data),
    };
  } catch {
    return null;
  }
}

let known: FirstScreen | null | undefined;

/** The data in the HTML; null if the HTML has no first screen. */
export function firstScreen(): FirstScreen | null {
  if (known === undefined) known = read();
  return known;
}

/**
 * Seeds the event's query from the HTML. The browser may have cached the HTML, so the event is refetched when shown.
 */
export function seedFirstScreen(queries: QueryClient): void {
  const event = firstScreen()?.event();
  if (!event) return;
  const { queryKey } = eventQuery(event.id);
  queries.setQueryData(queryKey, event);
  void queries.invalidateQueries({ queryKey, exact: true, refetchType: 'none' });
}
