import type { Event } from '@beltway/contracts/catalog/events';
import { totalCents, type OrderLine } from '@beltway/contracts/ticketing/order-lines';
import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCents, formatLine } from '../../lib/i18n/format.ts';
import { Meta } from '../../ui/meta.tsx';
import { NoRefundNote } from './order-summary.tsx';
import { texts } from './texts.en.ts';

interface ActionBarProps {
  event: Event;
  lines: OrderLine[];
  /** The hold's clock, while there is a hold. */
  clock: ReactNode;
  /** True on wide screens, where the summary beside the form already shows total and clock. */
  isWide: boolean;
  /** The next action. */
  children: ReactNode;
}

/** On a phone, total, clock and button stay at the bottom of the screen; on wide screens only the button is shown. */
export function ActionBar({ event, lines, clock, isWide, children }: ActionBarProps) {
  const t = useTexts(texts);
  const note = <NoRefundNote event={event} />;
  if (isWide)
    return (
      <div className="grid gap-2 justify-self-start">
        {note}
        {children}
      </div>
    );
  return (
    <div
      data-dock="checkout"
      className="bottom-0 z-20 -mx-4 -mb-6 grid gap-2.5 border-t border-line bg-ground px-4 pb-[max(0.75rem,env(safe-area-inset-bottom))] pt-2.5 tall:sticky md:mx-0 md:px-0"
    >
      <div className="tabular">
        <Meta>{t('sum', { tickets: lines.map(formatLine).join(' + '), fee: formatCents(0) })}</Meta>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <p aria-live="polite" className="text-title font-strong">
            {t('totalOf', { total: formatCents(totalCents(lines)) })}
          </p>
          {clock}
        </div>
      </div>
      {note}
      {children}
    </div>
  );
}
