import { comingUp } from '@beltway/contracts/catalog/coming-up';
import { useQuery } from '@tanstack/react-query';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { eventsQuery } from '../../lib/events/event-queries.ts';
import { firstScreen } from '../../lib/events/first-screen.ts';
import { ComingUp } from './coming-up.tsx';

const NONE: never[] = [];

/** The upcoming events. Until the list of events loads, shows the events in the prerendered HTML. */
export function ComingUpNow() {
  const { data, isPending } = useQuery(eventsQuery());
  const now = useEventClock(data ?? NONE);
  return <ComingUp events={data ? comingUp(data, now) : isPending ? firstScreen()?.comingUp() : []} />;
}
