import type { Event } from '@beltway/contracts/catalog/events';
import { endOf } from '@beltway/contracts/common/times';
import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useClock } from '../../lib/time/clock.ts';
import { DirectionsButton } from '../../lib/events/directions-button.tsx';
import { eventPath, freeEntry, isEnded, isFree, isUpcoming, type SaleState } from '../../lib/events/event-facts.ts';
import { When, Where } from '../../lib/events/event-lines.tsx';
import { formatMoment } from '../../lib/i18n/format.ts';
import { SuggestedEvents } from '../../lib/events/suggested-events.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Countdown } from '../../ui/countdown.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { texts } from './texts.en.ts';

const SOON_MS = 60 * 60_000;

interface NotAvailableProps {
  event: Event;
  state: SaleState;
  /** Other actions for an upcoming event, such as adding it to a calendar or sharing it. */
  ways: ReactNode;
}

/**
 * The fixed text (frontend/PRODUCT.md#fixed-texts), the reason if there is one, when and where the event is, and events
 * whose tickets can be bought instead.
 */
export function NotAvailable({ event, state, ways }: NotAvailableProps) {
  const t = useTexts(texts);
  const start = event.ticketSalesStartTime;
  const { title } = event;
  const soonFrom = start ? Date.parse(start) - SOON_MS : null;
  const now = useClock([soonFrom, endOf(event).getTime()]);
  return (
    <div className="page grid gap-8 py-12">
      <EmptyState
        heading="h1"
        title={state === 'sold-out' ? t('soldOut') : t('notAvailable')}
        action={
          <>
            <ButtonLink to={eventPath(event)}>{t('backToEvent')}</ButtonLink>
            <ButtonLink to="/" variant="secondary">
              {t('findAnother')}
            </ButtonLink>
          </>
        }
      >
        <p>{t('notCurrently')}</p>
        {state === 'sold-out' ? (
          <p className="mt-1">{t('everySold', { title })}</p>
        ) : (
          <>
            {event.status !== 'canceled' && isEnded(event, now) && <p className="mt-1">{t('isOver', { title })}</p>}
            {state === 'not-yet' && start && <p className="mt-1">{t('startOn', { when: formatMoment(start) })}</p>}
            {state === 'not-yet' && start && soonFrom !== null && now.getTime() > soonFrom && (
              <p className="mt-1">{t.rich('toGo', { clock: () => <Countdown until={start} /> })}</p>
            )}
            {state === 'suspended' && <p className="mt-1">{t('isSuspended', { title })}</p>}
            {state === 'postponed' && <p className="mt-1">{t('isPostponed', { title })}</p>}
            {event.status === 'canceled' && <p className="mt-1">{t('wasCanceled', { title })}</p>}
          </>
        )}
      </EmptyState>
      {isUpcoming(event, now) && (
        <section aria-label={title} className="grid gap-4">
          <div className="grid gap-1">
            <When event={event} className="text-title font-strong" />
            <Where location={event.location} className="text-ink-soft" />
            {isFree(event, now) && <p>{freeEntry()}</p>}
          </div>
          <div className="flex flex-wrap gap-3">
            <DirectionsButton location={event.location} />
            {ways}
          </div>
        </section>
      )}
      {state !== 'not-yet' && <SuggestedEvents insteadOf={event} />}
    </div>
  );
}
