import type { Event } from '@beltway/contracts/catalog';
import { posterUrl } from '@beltway/contracts/poster';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { eventPath, startsAt } from '../../lib/event-facts.ts';
import { When, Where } from '../../lib/event-lines.tsx';
import { eventsQuery } from '../../lib/event-queries.ts';
import { Button } from '../../ui/button.tsx';
import { Mark } from '../../ui/mark.tsx';
import { Poster } from '../../ui/poster.tsx';

interface HeroProps {
  onSearch: () => void;
  onLaunch: () => void;
}

/** What Beltway is, in one breath, and the next event as proof. */
export function Hero({ onSearch, onLaunch }: HeroProps) {
  return (
    <section aria-label="Welcome" className="overflow-hidden">
      <div className="page grid items-center gap-10 pb-10 pt-20 md:pb-14 lg:min-h-[36rem] lg:grid-cols-[minmax(0,1fr)_27rem] lg:pb-14 lg:pt-24">
        <div>
          <h1 className="max-w-[11ch] text-display">Tonight is one exit away.</h1>
          <p className="mt-5 max-w-[46ch] text-pretty leading-normal text-ink-soft lg:text-title lg:leading-normal">
            Concerts, rooftops, markets and nights out around Washington DC, Maryland and Virginia. Find one, get the
            ticket, go. The price you see is the price you pay.
          </p>
          <div className="mt-7 flex flex-wrap gap-3">
            <Button onClick={onSearch}>Find an event</Button>
            <Button variant="secondary" onClick={onLaunch}>
              Launch My Event
            </Button>
          </div>
        </div>
        <NextUp />
      </div>
    </section>
  );
}

function NextUp() {
  const { data } = useQuery(eventsQuery());
  const next = data && soonest(data);
  return (
    <div className="relative hidden lg:block">
      <Mark className="absolute -right-64 -top-24 size-[36rem] text-accent" />
      <div className="relative min-h-[25rem]">
        {next && (
          <Link
            to={eventPath(next)}
            className="block animate-fade rounded-lg border border-line bg-raised p-3 shadow-float transition-transform duration-(--duration-slow) -rotate-2 hover:rotate-0 focus-visible:rotate-0"
          >
            <Poster
              src={next.imageUrl}
              fallback={posterUrl(next)}
              alt=""
              priority
              sizes="27rem"
              className="aspect-16/10 rounded-md"
            />
            <div className="grid gap-1 px-2 pb-2 pt-4">
              <p className="flex flex-wrap justify-between gap-x-4 text-note">
                <span className="text-ink-soft">Next up</span>
                <When event={next} className="font-strong" />
              </p>
              <p className="line-clamp-2 font-display text-title font-strong tracking-tight">{next.title}</p>
              <Where location={next.location} className="text-note text-ink-soft" />
            </div>
          </Link>
        )}
      </div>
    </div>
  );
}

/** What began a good while ago is no longer next. */
const LATE = 90 * 60_000;

function soonest(events: readonly Event[]): Event | undefined {
  const now = Date.now();
  return events
    .filter((event) => event.status === 'published' && startsAt(event) > now - LATE)
    .toSorted((one, other) => startsAt(one) - startsAt(other))[0];
}
