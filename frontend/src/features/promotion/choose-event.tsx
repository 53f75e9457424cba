import type { Event } from '@beltway/contracts/catalog/events';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { soonestFirst } from '../../lib/events/event-facts.ts';
import { When, Where } from '../../lib/events/event-lines.tsx';
import { EventPicture } from '../../lib/events/event-picture.tsx';
import { ownEventsQuery } from '../../lib/events/event-queries.ts';
import { formatCents } from '../../lib/i18n/format.ts';
import { explain } from '../../lib/http/http.ts';
import { useSession } from '../../lib/session/session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { promotionPath, type PromotionPackage } from './packages.ts';
import { refusalOf } from './promotable.ts';
import { texts } from './texts.en.ts';

const NONE: Event[] = [];
/** Number of events shown at first, and added by each press. */
const PAGE = 12;

/** The checkout without an event: the account chooses one of its own events that can be promoted. */
export function ChooseEvent({ offer }: { offer: PromotionPackage }) {
  const t = useTexts(texts);
  const { user } = useSession();
  const [shown, setShown] = useState(PAGE);
  const mine = useQuery({ ...ownEventsQuery(user?.id ?? 0), enabled: user !== null });
  const { data: own = NONE } = mine;
  const now = useEventClock(own);
  const events = soonestFirst(
    own.filter((event) => refusalOf(event, user?.id, now) === null),
    now,
  );
  return (
    <div className="page grid max-w-3xl grid-cols-1 gap-6 py-8 lg:py-12">
      <header className="grid gap-1.5">
        <h1 className="text-heading">{t('whichEvent')}</h1>
        <p className="text-ink-soft tabular">
          {t('offerFor', { name: offer.name, price: formatCents(offer.cents), hours: String(offer.hours) })}
        </p>
      </header>
      {mine.isPending ? (
        <Loading label={t('eventsLoading')} className="grid gap-3">
          <Skeleton className="h-28 rounded-lg" />
          <Skeleton className="h-28 rounded-lg" />
        </Loading>
      ) : mine.isLoadingError ? (
        <ErrorState
          title={t('eventsNotLoaded')}
          message={explain(mine.error)}
          onRetry={() => void mine.refetch()}
          retrying={mine.isFetching}
        />
      ) : events.length === 0 ? (
        <EmptyState
          title={t('noEvent')}
          action={
            <>
              <ButtonLink to="/#launch">{t('launch')}</ButtonLink>
              <ButtonLink to="/dashboard" variant="secondary">
                {t('yourEvents')}
              </ButtonLink>
            </>
          }
        >
          {t('untilOver')}
        </EmptyState>
      ) : (
        <ul aria-label={t('yourEvents')} className="grid gap-3">
          {events.slice(0, shown).map((event) => (
            <li key={event.id}>
              <Link
                to={promotionPath(offer.level, event.id)}
                className="flex items-center gap-3.5 rounded-lg border border-line bg-surface p-2.5 shadow-card transition-[border-color,box-shadow] duration-(--duration-base) hover:border-edge hover:shadow-lift"
              >
                <EventPicture event={event} sizes="6rem" className="size-20 shrink-0 rounded-md max-[18rem]:hidden" />
                <span className="grid min-w-0 gap-0.5">
                  <When event={event} className="text-note font-strong" />
                  <span className="line-clamp-2 font-strong">{event.title}</span>
                  <Where location={event.location} className="text-note text-ink-soft" />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {events.length > shown && (
        <Button variant="secondary" className="justify-self-center" onClick={() => setShown(shown + PAGE)}>
          {t('showMore')}
        </Button>
      )}
    </div>
  );
}
