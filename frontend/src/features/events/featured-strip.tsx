import { plainDescription } from '@beltway/contracts/catalog/plain-description';
import type { Event } from '@beltway/contracts/catalog/events';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { checkoutPath, eventPath, saleState } from '../../lib/events/event-facts.ts';
import { promotedEventsQuery } from '../../lib/events/event-queries.ts';
import { Listed, PremiumBadge, When, Where } from '../../lib/events/event-lines.tsx';
import { EventPicture } from '../../lib/events/event-picture.tsx';
import { explain } from '../../lib/http/http.ts';
import type { Impressions } from '../../lib/ads/impressions.ts';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { PromotedItem } from './promoted-item.tsx';
import { ShareMenu } from './share-menu.tsx';
import { texts } from './texts.en.ts';

/** frontend/PRODUCT.md#home */
const LIMIT = 5;
const TAGS = 2;
/** Cards in the first viewport of a phone: their pictures load first. */
const IN_SIGHT = 2;

// The strip reaches the edge of the screen, where a card is cut off to show that there are more cards.
const strip =
  '-ms-4 me-[calc(50%-50vw)] flex snap-x gap-4 overflow-x-auto px-4 pb-4 md:-ms-8 md:px-8 scroll-px-4 md:scroll-px-8 [scrollbar-width:thin]';
const slot = 'w-[min(80vw,19rem)] shrink-0 snap-start';

interface FeaturedStripProps {
  onSubmitEvent: () => void;
  impressions: Impressions;
}

export function FeaturedStrip({ onSubmitEvent, impressions }: FeaturedStripProps) {
  const t = useTexts(texts);
  const { data, error, isPending, isFetching, refetch } = useQuery(promotedEventsQuery('featured'));
  const events = data?.slice(0, LIMIT) ?? [];
  return (
    <section aria-labelledby="featured-title">
      {/* Without events, only screen readers get the heading; the sentence below is enough. */}
      <h2 id="featured-title" className={data?.length === 0 ? 'sr-only' : 'mb-2 text-title'}>
        {t('featuredEvents')}
      </h2>
      {isPending ? (
        <Loading label={t('featuredLoading')} className={strip}>
          {Array.from({ length: LIMIT }, (_, at) => (
            <div
              key={at}
              data-testid="featured-skeleton"
              className={`${slot} rounded-lg border border-line bg-surface`}
            >
              <Skeleton className="aspect-5/2 rounded-b-none rounded-t-[15px]" />
              <div className="grid gap-2.5 p-4">
                <Skeleton className="h-5 w-32" />
                <Skeleton className="h-6 w-4/5" />
                <Skeleton className="h-10" />
                <Skeleton className="h-5 w-1/2" />
                <Skeleton className="mt-2 h-11 rounded-full" />
              </div>
            </div>
          ))}
        </Loading>
      ) : error && !data ? (
        <ErrorState
          title={t('featuredNotLoaded')}
          message={explain(error)}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : events.length === 0 ? (
        <p className="flex flex-wrap items-center gap-x-1 gap-y-1 rounded-lg border border-dashed border-edge/60 py-1 ps-3.5 pe-1 max-sm:text-note">
          <span className="font-strong">{t('beFirst')}</span>
          <button
            type="button"
            className="ms-auto min-h-11 px-2 font-strong underline underline-offset-4"
            onClick={onSubmitEvent}
          >
            {t('submitFeatured')}
          </button>
        </p>
      ) : (
        <ul className={strip} aria-label={t('featuredList')}>
          {events.map((event, at) => (
            <PromotedItem key={event.id} event={event} place="featured" impressions={impressions} className={slot}>
              <FeaturedCard event={event} priority={at < IN_SIGHT} />
            </PromotedItem>
          ))}
        </ul>
      )}
    </section>
  );
}

function FeaturedCard({ event, priority }: { event: Event; priority: boolean }) {
  const t = useTexts(texts);
  const now = useEventClock(event);
  const target = saleState(event, now) === 'on-sale' ? checkoutPath(event) : eventPath(event);
  return (
    <article className="relative flex h-full flex-col rounded-lg border border-line bg-surface shadow-card transition-[box-shadow,border-color] duration-(--duration-base) hover:border-edge hover:shadow-lift has-[h3_a:focus-visible]:outline-3 has-[h3_a:focus-visible]:outline-focus">
      <div className="overflow-hidden rounded-t-[15px]">
        <EventPicture event={event} priority={priority} sizes="19rem" className="aspect-5/2" />
      </div>
      <div className="flex flex-1 flex-col gap-1 p-3">
        <Meta className="flex items-center justify-between gap-2">
          <span className="flex flex-wrap gap-1.5">
            <Badge tone="accent">{t('featured')}</Badge>
            <PremiumBadge event={event} />
          </span>
          <Listed event={event} />
        </Meta>
        <When event={event} className="text-note font-strong" />
        <h3 className="text-title">
          <Link
            to={eventPath(event)}
            className="line-clamp-2 outline-none after:absolute after:inset-0 after:rounded-lg"
          >
            {event.title}
          </Link>
        </h3>
        <Where location={event.location} short className="text-note text-ink-soft" />
        <Meta className="line-clamp-1">{plainDescription(event.description)}</Meta>
        {event.tags.length > 0 && (
          <p className="flex flex-wrap gap-1.5">
            {event.tags.slice(0, TAGS).map((tag) => (
              <Badge key={tag}>{tag}</Badge>
            ))}
          </p>
        )}
        <div className="relative mt-auto flex items-center gap-1.5 pt-1.5">
          <ButtonLink to={target} variant="secondary" className="flex-1">
            {t('getTickets')}
          </ButtonLink>
          <ShareMenu event={event} />
        </div>
      </div>
    </article>
  );
}
