import type { Event } from '@beltway/contracts/catalog/events';
import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Description } from '../../lib/events/description.tsx';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { isEnded, isPostponed } from '../../lib/events/event-facts.ts';
import { CategorySign, PremiumBadge } from '../../lib/events/event-lines.tsx';
import { EventPicture } from '../../lib/events/event-picture.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Facts } from './facts.tsx';
import { texts } from './texts.en.ts';

interface EventArticleProps {
  event: Event;
  /** Icon buttons in the picture's corner. */
  actions?: ReactNode;
}

/**
 * Picture, title, facts, description and tags of an event. A poster is rendered without text, because the heading shows
 * the title.
 */
export function EventArticle({ event, actions }: EventArticleProps) {
  const t = useTexts(texts);
  const now = useEventClock(event);
  const isPhoto = event.imageUrl !== null && !event.imageUrl.startsWith('/media/posters/');
  const isLong = event.title.length > 40;
  return (
    <article className="grid min-w-0 gap-6 lg:gap-8">
      <div className="grid gap-5">
        <div className="relative">
          <EventPicture
            event={event}
            alt={isPhoto ? t('pictureOf', { title: event.title }) : ''}
            priority
            sizes="(width >= 64rem) 52rem, (width < 48rem) and (resolution >= 2dppx) 66vw, calc(100vw - 2rem)"
            className={cx(
              'aspect-[16/10] rounded-lg shadow-card md:aspect-[2/1]',
              event.status === 'canceled' && 'grayscale',
            )}
          />
          {actions && <div className="absolute end-3 top-3 flex gap-2">{actions}</div>}
        </div>
        <header className="grid gap-3 lg:gap-4">
          <div className="flex flex-wrap items-center gap-2">
            <CategorySign tags={event.tags} />
            <PremiumBadge event={event} />
            {event.isSponsored && <Badge tone="accent">{t('sponsored')}</Badge>}
            {event.status === 'canceled' ? (
              <Badge tone="danger">{t('canceled')}</Badge>
            ) : isPostponed(event) ? (
              <Badge tone="warning">{t('postponed')}</Badge>
            ) : (
              isEnded(event, now) && <Badge>{t('ended')}</Badge>
            )}
          </div>
          <h1 className={isLong ? 'text-heading' : 'text-heading md:text-display'}>{event.title}</h1>
          <Facts event={event} />
        </header>
      </div>
      <Description text={event.description} />
      {event.tags.length > 0 && (
        <ul aria-label={t('tags')} className="flex flex-wrap gap-2">
          {event.tags.map((tag) => (
            <li key={tag}>
              <ButtonLink
                variant="secondary"
                to={`/?tag=${encodeURIComponent(tag.toWellFormed())}`}
                className="px-4 text-note"
              >
                {tag}
              </ButtonLink>
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}
