import type { Event } from '@beltway/contracts/catalog';
import type { EventSales } from '@beltway/contracts/ticketing';
import { countsOf } from '../../lib/engagement.ts';
import { formatCount, formatPrice } from '../../lib/format.ts';
import { StatCards } from '../../ui/stat-cards.tsx';
import { sumOf } from './api.ts';

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
  const figure = (value: number | null | undefined, format: (value: number) => string) =>
    typeof value === 'number' ? format(value) : value;
  const amount = (part: 'revenue' | 'share') => figure(money && money[part], formatPrice);
  const facts = [
    ...(events === undefined ? [] : ([['Events', formatCount(events)]] as const)),
    ['Tickets sold', figure(tickets, formatCount)] as const,
    ['Ticket sales', amount('revenue')] as const,
    ['Your share, 95%', amount('share')] as const,
    ...(seen
      ? ([
          ['Views', formatCount(seen.views)],
          ['Engagement', formatCount(seen.engagement)],
        ] as const)
      : []),
  ];
  return (
    <div className="grid gap-3">
      <StatCards cards={facts} />
      <p role={money === null ? 'status' : undefined} className="max-w-prose text-note text-ink-soft">
        {money === null
          ? 'The sums could not be loaded. They are asked for again every half minute.'
          : 'Ticket sales are what buyers paid, each at the price of their day. Refunded orders are out; our 5% fee is in the sales and out of your share.'}
        {seen &&
          ' Views are visitors, each once a day; engagement is likes, comments, answers of who comes, and shares.'}
      </p>
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
