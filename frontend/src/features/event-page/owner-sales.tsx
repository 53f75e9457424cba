import type { Event } from '@beltway/contracts/catalog/events';
import { useQuery } from '@tanstack/react-query';
import { countsOf } from '../../lib/events/engagement.ts';
import { salesQuery } from '../../lib/events/sales-query.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCount, formatPrice } from '../../lib/i18n/format.ts';
import { texts } from './owner.texts.en.ts';

/** "42 of 100 sold · $1,050.00", and how many visitors saw the page. */
export function OwnerSales({ event }: { event: Event }) {
  const t = useTexts(texts);
  const { data } = useQuery({ ...salesQuery(), enabled: event.hasTickets });
  const { views } = countsOf(event);
  const parts = [
    event.hasTickets &&
      t('soldOf', { sold: formatCount(event.soldTickets), total: formatCount(event.totalTickets ?? 0) }),
    event.hasTickets && data && formatPrice(data.find(({ eventId }) => eventId === event.id)?.revenue ?? 0),
    views > 0 && t('views', { count: views, number: formatCount(views) }),
  ].filter(Boolean);
  return parts.length > 0 && <p className="font-strong tabular">{parts.join(' · ')}</p>;
}
