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
  /** Where several events are counted together. */
  events?: number;
  /** Visitors, and what they did: likes, comments, interests and shares. */
  seen?: { views: number; engagement: number };
  /** Undefined while they are asked for, null when they cannot be had. */
  tickets: number | null | undefined;
  /** Dollars; undefined and null as above. */
  money: { revenue: number; share: number } | null | undefined;
}

/** Counted, none made up; and what the sums mean. */
export function Figures({ events, seen, tickets, money }: FiguresProps) {
  const t = useTexts(texts);
  const figure = (value: number | null | undefined, format: (value: number) => string) =>
    typeof value === 'number' ? format(value) : value;
  const amount = (part: 'revenue' | 'share') => figure(money && money[part], formatPrice);
  const facts = [
    ...(events === undefined ? [] : ([[t('events'), formatCount(events)]] as const)),
    [t('ticketsSold'), figure(tickets, formatCount)] as const,
    [t('ticketSales'), amount('revenue')] as const,
    [t('yourShare'), amount('share')] as const,
    ...(seen
      ? ([
          [t('views'), formatCount(seen.views)],
          [t('engagement'), formatCount(seen.engagement)],
        ] as const)
      : []),
  ];
  return (
    <div className="grid gap-3">
      <StatCards cards={facts} />
      <Meta role={money === null ? 'status' : undefined} className="max-w-prose">
        {money === null ? t('sumsNotLoaded') : t('sumsWhy')}
        {seen && <> {t('seenWhy')}</>}
      </Meta>
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

/** Of several events together. */
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
