import type { Event } from '@beltway/contracts/catalog/events';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Loading, Skeleton } from '../../ui/states.tsx';
import { OrderSummary, NoRefundNote } from './order-summary.tsx';
import { texts } from './texts.en.ts';

export const COLUMNS =
  'page grid grid-cols-1 gap-6 py-6 lg:grid-cols-[minmax(0,36rem)_22rem] lg:items-start lg:justify-between lg:gap-12 lg:py-12';
export const STEP = 'grid min-w-0 max-w-xl grid-cols-1 gap-5 lg:gap-6';

/**
 * The checkout's placeholder while this browser's hold is loaded. CSS chooses between the summaries for wide and small
 * screens, because the server that prerenders the HTML does not know the width.
 */
export function CheckoutOpening({ event }: { event: Event }) {
  const t = useTexts(texts);
  const summary = { event, lines: null, clock: null };
  return (
    <div className={COLUMNS}>
      <div className="lg:order-last lg:h-full">
        <div className="lg:hidden">
          <OrderSummary {...summary} isWide={false} />
        </div>
        <div className="h-full max-lg:hidden">
          <OrderSummary {...summary} isWide />
        </div>
      </div>
      <section className={STEP}>
        <header>
          <p className="text-note text-ink-soft">{t('step', { number: '1' })}</p>
          <h1 className="text-heading">{t('details')}</h1>
        </header>
        <Loading label={t('loading')} className="grid gap-5">
          <Skeleton className="h-20 rounded-md" />
          <Skeleton className="h-16 rounded-md" />
          <Skeleton className="h-16 rounded-md" />
        </Loading>
        <NoRefundNote event={event} />
      </section>
    </div>
  );
}
