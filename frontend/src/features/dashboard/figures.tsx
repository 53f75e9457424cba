import type { Event } from '@beltway/contracts/catalog/events';
import type { EventSales } from '@beltway/contracts/ticketing/tickets';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { countsOf } from '../../lib/events/engagement.ts';
import { formatCount, formatPrice } from '../../lib/i18n/format.ts';
import { Meta } from '../../ui/meta.tsx';
import { StatCards } from '../../ui/stat-cards.tsx';
import { sumOf } from './api.ts';
import { texts } from './texts.en.ts';

interface FiguresProps {
  /** The number of events, if the figures are sums over several events. */
  events?: number;
  /** `engagement` is the sum of likes, comments, RSVPs (interested and going) and shares. */
  seen?: { views: number; engagement: number };
  /** Undefined while loading, null if loading failed. */
  tickets: number | null | undefined;
  /** In dollars; undefined and null as for `tickets`. */
  money: { revenue: number; share: number } | null | undefined;
}

/** Cards with the figures, and a text that explains how they are calculated. Figures of zero are left out. */
export function Figures({ events, seen, tickets, money }: FiguresProps) {
  const t = useTexts(texts);
  const figure = (value: number | null | undefined, format: (value: number) => string) =>
    typeof value === 'number' ? format(value) : value;
  const all = [
    [t('events'), events ?? 0, formatCount],
    [t('ticketsSold'), tickets, formatCount],
    [t('ticketSales'), money && money.revenue, formatPrice],
    [t('yourShare'), money && money.share, formatPrice],
    [t('views'), seen ? seen.views : 0, formatCount],
    [t('engagement'), seen ? seen.engagement : 0, formatCount],
  ] as const;
  const facts = all
    .filter(([, value]) => value !== 0)
    .map(([name, value, format]) => [name, figure(value, format)] as const);
  return (
    <div className="grid gap-1">
      {facts.length > 0 && <StatCards cards={facts} />}
      {money === null && (
        <Meta role="status" className="mt-2">
          {t('sumsNotLoaded')}
        </Meta>
      )}
      <details>
        <summary className="inline-flex min-h-11 cursor-pointer items-center text-note text-ink-soft hover:text-ink">
          {t('aboutSums')}
        </summary>
        <Meta className="max-w-prose">
          {t('sumsWhy')}
          {seen && <> {t('seenWhy')}</>}
        </Meta>
      </details>
    </div>
  );
}

function seenOf(events: readonly Event[]): { views: number; engagement: number } {
  const sum = { views: 0, engagement: 0 };
  for (const { views, likes, comments, interested, going, shares } of events.map(countsOf)) {
    sum.views += views;
    sum.engagement += likes + comments + interested + going + shares;
  }
  return sum;
}

interface SumsOfEventsProps {
  events: readonly Event[];
  sales: { data: readonly EventSales[] | undefined; isError: boolean };
}

/** The sums over several events. */
export function SumsOfEvents({ events, sales: { data, isError } }: SumsOfEventsProps) {
  const money = data && { revenue: sumOf(data, 'revenue'), share: sumOf(data, 'share') };
  return (
    <Figures
      events={events.length}
      seen={seenOf(events)}
      tickets={events.reduce((sum, event) => sum + event.soldTickets, 0)}
      money={money ?? (isError ? null : undefined)}
    />
  );
}
