import type { Event } from '@beltway/contracts/catalog/events';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { refundLine } from '@beltway/contracts/ticketing/refund-promise';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { saleState, type SaleState } from '../../lib/events/event-facts.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { language } from '../../lib/i18n/language.ts';
import { useRefundTerms } from '../../lib/refunds/deadline.ts';
import { texts } from './texts.en.ts';

const PROMISED: readonly SaleState[] = ['on-sale', 'not-yet', 'postponed'];

/**
 * What happens to the money when the event is canceled or postponed (services/ticketing/PRODUCT.md#refunds); renders
 * nothing for an event without tickets.
 */
export function RefundPolicy({ event }: { event: Event }) {
  const t = useTexts(texts);
  const terms = useRefundTerms(event);
  const now = useEventClock(event);
  if (!event.hasTickets) return null;
  const link = (words: ReactNode) => (
    <Link to="/refunds" className="underline underline-offset-4">
      {words}
    </Link>
  );
  return (
    <section aria-labelledby="refunds-title" className="max-w-prose">
      <h2 id="refunds-title" className="text-title">
        {t('refunds')}
      </h2>
      <p className="mt-1 text-ink-soft">
        {event.status === 'canceled'
          ? t.rich('refundCanceled', { link })
          : t.rich('refundOtherwise', {
              // No refund is promised while no ticket can be bought.
              promise: PROMISED.includes(saleState(event, now)) ? refundLine(terms, language()) : '',
              link,
            })}
      </p>
    </section>
  );
}
