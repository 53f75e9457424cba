import type { Event } from '@beltway/contracts/catalog/events';
import { posterGround } from '@beltway/contracts/media/poster-ground';
import { posterUrl } from '@beltway/contracts/media/poster';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { isEnded, isPostponed } from '../../lib/events/event-facts.ts';
import { CategorySign, PremiumBadge } from '../../lib/events/event-lines.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Poster } from '../../ui/poster.tsx';
import { Facts } from './facts.tsx';
import { texts } from './texts.en.ts';

/** A generated poster has the title in it: it stands beside a smaller heading. A photo is shown wide, with a large heading. */
const isGenerated = ({ imageUrl }: Event) => imageUrl?.startsWith('/media/posters/') ?? false;

/** Picture, title, facts, description and tags of an event. */
export function EventArticle({ event }: { event: Event }) {
  const t = useTexts(texts);
  const now = useEventClock(event);
  const beside = isGenerated(event);
  const isLong = event.title.length > 40;
  return (
    <article className="grid min-w-0 gap-6 lg:gap-8">
      <div
        className={cx('grid gap-5 lg:gap-8', beside && 'md:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)] md:items-center')}
      >
        <Poster
          src={event.imageUrl}
          fallback={posterUrl(event)}
          tint={beside || !event.imageUrl ? posterGround(event) : null}
          alt={beside ? '' : t('pictureOf', { title: event.title })}
          priority
          sizes="(width >= 64rem) 52rem, (width < 48rem) and (resolution >= 2dppx) 66vw, calc(100vw - 2rem)"
          className={cx('aspect-[16/10] rounded-lg shadow-card', event.status === 'canceled' && 'grayscale')}
        />
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
          <h1 className={beside || isLong ? 'text-heading' : 'text-heading md:text-display'}>{event.title}</h1>
          <Facts event={event} />
        </header>
      </div>
      <p className="max-w-prose whitespace-pre-line wrap-anywhere">{event.description}</p>
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
