import type { Event } from '@beltway/contracts/catalog';
import type { ReactNode } from 'react';
import { When } from '../../lib/event-lines.tsx';
import { formatCents } from '../../lib/format.ts';
import { Poster } from '../../ui/poster.tsx';

interface OrderSummaryProps {
  event: Event;
  quantity: number;
  priceCents: number;
  /** The hold's clock, while there is one. */
  clock: ReactNode;
}

/** What is bought and what it costs, always in sight. Nothing is added to the price. */
export function OrderSummary({ event, quantity, priceCents, clock }: OrderSummaryProps) {
  return (
    <aside aria-label="Order summary" className="overflow-hidden rounded-lg border border-line bg-surface shadow-card">
      <div className="flex gap-4 p-4 lg:grid lg:gap-0 lg:p-0">
        <Poster
          src={event.imageUrl}
          alt=""
          className="aspect-[16/10] w-28 shrink-0 rounded-md lg:w-full lg:rounded-none"
        />
        <div className="grid content-start gap-1 lg:p-5 lg:pb-0">
          <h2 className="text-title font-strong">{event.title}</h2>
          <When event={event} className="text-note text-ink-soft" />
          <p className="text-note text-ink-soft">{event.location}</p>
        </div>
      </div>
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-2 px-5 pb-5 pt-2 tabular lg:pt-4">
        <dt className="text-ink-soft">
          {quantity} × {formatCents(priceCents)}
        </dt>
        <dd className="text-right">{formatCents(priceCents * quantity)}</dd>
        <dt className="text-ink-soft">Processing fee</dt>
        <dd className="text-right">$0.00</dd>
        <dt className="mt-1 border-t border-line pt-3 font-strong">Total</dt>
        <dd className="mt-1 border-t border-line pt-3 text-right text-title font-strong">
          {formatCents(priceCents * quantity)}
        </dd>
      </dl>
      {clock}
    </aside>
  );
}
