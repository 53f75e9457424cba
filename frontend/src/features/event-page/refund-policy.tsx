import type { Event } from '@beltway/contracts/catalog/events';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { refundLine } from '@beltway/contracts/ticketing/refund-promise';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { language } from '../../lib/i18n/language.ts';
import { useRefundTerms } from '../../lib/refunds/deadline.ts';
import { texts } from './texts.en.ts';

/**
 * What happens to the money when the event does not take place (services/ticketing/PRODUCT.md#refunds); nothing where no
 * ticket is sold.
 */
export function RefundPolicy({ event }: { event: Event }) {
  const t = useTexts(texts);
  const terms = useRefundTerms(event);
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
              promise: refundLine(terms, language()),
              link,
            })}
      </p>
    </section>
  );
}
