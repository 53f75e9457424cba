import type { Event } from '@beltway/contracts/catalog/events';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClock } from '../../lib/time/clock.ts';
import { startsAt } from '../../lib/events/event-facts.ts';
import { eventsQuery } from '../../lib/events/event-queries.ts';
import { firstScreen } from '../../lib/events/first-screen.ts';
import { NextEvent, Ring } from './next-event.tsx';

/** The next event of the list; until that is there, the one that the HTML came with. Without any, the ring alone. */
export function NextUp() {
  const { data, isPending } = useQuery(eventsQuery());
  const moments = useMemo(() => data?.map(startsAt), [data]);
  const now = useClock(moments);
  const next = data ? soonest(data, now) : isPending ? firstScreen()?.nextUp : undefined;
  if (!isPending && !next) return <Ring className="mx-auto max-lg:hidden" />;
  return <NextEvent event={next} isNew={!firstScreen()?.nextUp} />;
}

/** What has begun is not next. */
function soonest(events: readonly Event[], now: Date): Event | undefined {
  return events
    .filter((event) => event.status === 'published' && startsAt(event) > now.getTime())
    .toSorted((one, other) => startsAt(one) - startsAt(other))[0];
}
