import type { Event } from '@beltway/contracts/catalog/events';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useClock } from '../../lib/time/clock.ts';
import { eventPath, isFree, sellsTickets, startsAt } from '../../lib/events/event-facts.ts';
import { PremiumBadge, When, Where } from '../../lib/events/event-lines.tsx';
import { EventPicture } from '../../lib/events/event-picture.tsx';
import { eventsQuery } from '../../lib/events/event-queries.ts';
import { firstScreen } from '../../lib/events/first-screen.ts';
import { formatPrice } from '../../lib/i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Mark } from '../../ui/mark.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { texts } from './texts.en.ts';

interface HeroProps {
  onFind: () => void;
  onLaunch: () => void;
}

/** What Beltway is, in one breath, and the next event as proof: half a screen. */
export function Hero({ onFind, onLaunch }: HeroProps) {
  const t = useTexts(texts);
  return (
    <section aria-label={t('welcome')} className="overflow-hidden">
      <div className="page grid grid-cols-[minmax(0,1fr)] items-center gap-x-10 gap-y-6 pb-6 pt-16 max-[15rem]:pt-24 lg:grid-cols-[minmax(0,1fr)_33rem] lg:pb-8 lg:pt-14">
        <div>
          <h1 className="max-w-[13ch] text-display">{t('headline')}</h1>
          <p className="mt-3 max-w-[46ch] text-pretty text-ink-soft lg:mt-4 lg:text-title lg:leading-normal">
            <span className="max-lg:hidden">{t('leadWide')}</span>
            {t('lead')}
          </p>
          <div className="mt-4 flex flex-wrap gap-3 lg:mt-6">
            <Button onClick={onFind}>{t('find')}</Button>
            <Button variant="secondary" onClick={onLaunch}>
              {t('launch')}
            </Button>
          </div>
        </div>
        <NextUp />
      </div>
    </section>
  );
}

/** The ring, whole, and the next event where one drives in: the card lies over the ring's opening. */
function NextUp() {
  const t = useTexts(texts);
  const { data, isPending } = useQuery(eventsQuery());
  // Until the list is there, the one that the HTML came with.
  const moments = useMemo(() => data?.map(startsAt), [data]);
  const now = useClock(moments);
  const next = data ? soonest(data, now) : isPending ? firstScreen()?.nextUp : undefined;
  if (!isPending && !next) return <Ring className="mx-auto max-lg:hidden" />;
  return (
    <div className="relative flex min-h-36 items-center lg:min-h-[21rem]">
      <Ring className="absolute start-0 top-1/2 -translate-y-1/2" />
      <div className="relative ms-18 min-w-0 flex-1 max-[15rem]:ms-4 lg:ms-52">
        {next ? (
          <Link
            to={eventPath(next)}
            data-testid="next-up"
            className={cx(
              !firstScreen()?.nextUp && 'animate-fade',
              'flex items-center gap-3.5 rounded-lg border border-line bg-raised p-2.5 shadow-float transition-[border-color] duration-(--duration-base) hover:border-edge lg:block',
            )}
          >
            <EventPicture
              event={next}
              priority
              sizes="(width >= 64rem) 20rem, 6rem"
              className="size-24 shrink-0 rounded-md max-[22rem]:hidden lg:aspect-2/1 lg:size-auto"
            />
            <span className="grid min-w-0 gap-0.5 lg:gap-1 lg:px-1.5 lg:pb-1 lg:pt-3">
              <span className="flex flex-wrap justify-between gap-x-4 text-note">
                <span className="text-ink-soft max-lg:sr-only">{t('nextUp')}</span>
                <span className="flex flex-wrap items-center gap-x-2">
                  <PremiumBadge event={next} />
                  <When event={next} className="font-strong" />
                </span>
              </span>
              <span className="line-clamp-2 font-display text-body leading-tight font-strong tracking-tight lg:text-title">
                {next.title}
              </span>
              <Where location={next.location} className="text-note text-ink-soft" />
              {sellsTickets(next) ? (
                <span className="tabular text-note font-strong">{formatPrice(next.ticketPrice)}</span>
              ) : (
                isFree(next, now) && <span className="tabular text-note font-strong">{t('freeEntry')}</span>
              )}
            </span>
          </Link>
        ) : (
          <div className="flex items-center gap-3.5 rounded-lg border border-line bg-raised p-2.5 shadow-float lg:block">
            <Skeleton className="size-24 shrink-0 rounded-md lg:aspect-2/1 lg:size-auto" />
            <div className="grid min-w-0 flex-1 grid-cols-1 gap-2 lg:px-1.5 lg:pb-1 lg:pt-3">
              <Skeleton className="h-4 w-24 max-w-full" />
              <Skeleton className="h-5 w-full" />
              <Skeleton className="h-4 w-2/3" />
            </div>
          </div>
        )}
      </div>
    </div>
  );
}

/** Turned so that its opening looks to the right, to the card. */
const Ring = ({ className }: { className: string }) => (
  <div className={className}>
    <Mark turn={45} className="size-36 text-accent lg:size-[21rem]" />
  </div>
);

/** What has begun is not next. */
function soonest(events: readonly Event[], now: Date): Event | undefined {
  return events
    .filter((event) => event.status === 'published' && startsAt(event) > now.getTime())
    .toSorted((one, other) => startsAt(one) - startsAt(other))[0];
}
