import type { Event } from '@beltway/contracts/catalog/events';
import CalendarClock from 'lucide-react/icons/calendar-clock';
import CirclePause from 'lucide-react/icons/circle-pause';
import CircleX from 'lucide-react/icons/circle-x';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatDays } from '../../lib/i18n/format.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { texts } from './texts.en.ts';

/** Shown first on the page of a canceled event. */
export function CanceledBanner({ event }: { event: Event }) {
  const t = useTexts(texts);
  return (
    <section
      aria-labelledby="canceled-title"
      className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-lg bg-danger-soft px-5 py-4"
    >
      <CircleX aria-hidden className="size-7 shrink-0 text-danger-ink max-sm:hidden" />
      <div className="min-w-0 flex-1 basis-64">
        <h2 id="canceled-title" className="text-title text-danger-ink">
          {t('isCanceled')}
        </h2>
        <p className="mt-1">{event.hasTickets ? t('isCanceledTickets') : t('isCanceledWhy')}</p>
      </div>
      <ButtonLink to="/" variant="secondary">
        {t('elseOn')}
      </ButtonLink>
    </section>
  );
}

/** Shown first on the page of a postponed event. */
export function PostponedBanner({ event }: { event: Event }) {
  const t = useTexts(texts);
  const day = formatDays(event);
  return (
    <section
      aria-labelledby="postponed-title"
      className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-lg bg-warning-soft px-5 py-4"
    >
      <CalendarClock aria-hidden className="size-7 shrink-0 text-warning-ink max-sm:hidden" />
      <div className="min-w-0 flex-1 basis-64">
        <h2 id="postponed-title" className="text-title text-warning-ink">
          {t('isPostponed')}
        </h2>
        <p className="mt-1">{event.hasTickets ? t('isPostponedTickets', { day }) : t('isPostponedWhy', { day })}</p>
      </div>
    </section>
  );
}

/** Shown first on the page of a suspended event. */
export function SuspendedBanner({ event }: { event: Event }) {
  const t = useTexts(texts);
  return (
    <section
      aria-labelledby="suspended-title"
      className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-lg bg-warning-soft px-5 py-4"
    >
      <CirclePause aria-hidden className="size-7 shrink-0 text-warning-ink max-sm:hidden" />
      <div className="min-w-0 flex-1 basis-64">
        <h2 id="suspended-title" className="text-title text-warning-ink">
          {event.hasTickets ? t('isSuspendedTickets') : t('isSuspended')}
        </h2>
        <p className="mt-1">{event.hasTickets ? t('isSuspendedTicketsWhy') : t('isSuspendedWhy')}</p>
      </div>
      <ButtonLink to="/" variant="secondary">
        {t('elseOn')}
      </ButtonLink>
    </section>
  );
}
