import { Event, EventList } from '@beltway/contracts/catalog/events';
import type { QueryClient } from '@tanstack/react-query';
import { eventQuery } from './event-queries.ts';

/** What the gateway put into the HTML beside the first screen that it made of it (services/gateway/src/page/page.ts). */
interface FirstScreen {
  /** That of its words. */
  language: string;
  /** Of an event's page, and of its checkout. */
  event?: Event | undefined;
  /** The events that the home page begins with. */
  comingUp?: Event[] | undefined;
}

function read(): FirstScreen | null {
  const screen = document.getElementById('first-screen');
  if (!screen) return null;
  const { lang } = screen;
  try {
    const said = JSON.parse(screen.textContent) as Record<string, unknown>;
    return {
      language: lang,
      event: Event.safeParse(said['event']).data,
      comingUp: EventList.safeParse(said['comingUp']).data,
    };
  } catch {
    return null;
  }
}

let known: FirstScreen | null | undefined;

/** What the HTML came with; null: without a first screen. */
export function firstScreen(): FirstScreen | null {
  if (known === undefined) known = read();
  return known;
}

/** Shows an event at once as the HTML has it. It may have been kept by the browser, so it is asked for again when shown. */
export function seedFirstScreen(queries: QueryClient): void {
  const { event } = firstScreen() ?? {};
  if (!event) return;
  const { queryKey } = eventQuery(event.id);
  queries.setQueryData(queryKey, event);
  void queries.invalidateQueries({ queryKey, exact: true, refetchType: 'none' });
}
