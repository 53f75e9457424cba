import type { ManagedOrder } from '@beltway/contracts/ticketing/orders';
import type { ReactNode } from 'react';
import { useTexts } from '../i18n/catalog.ts';
import { formatCents, formatMoment, formatPrice } from '../i18n/format.ts';
import { texts } from './texts.en.ts';

/** A titled section of an order's details. */
export const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h3 className="font-text text-body font-strong">{title}</h3>
    <ul className="mt-1 grid gap-1 tabular wrap-anywhere">{children}</ul>
  </section>
);

/** The order's history, as a list of events. */
export function History({ of: history }: { of: ManagedOrder['history'] }) {
  const t = useTexts(texts);
  return (
    <Part title={t('history')}>
      {history.map(({ at, text }, index) => (
        <li key={index}>{t('historyLine', { when: formatMoment(at), text })}</li>
      ))}
    </Part>
  );
}

/** "Ticket 1: $25.00, valid" */
export function useTicketLine(): (ticket: ManagedOrder['tickets'][number], index: number) => string {
  const t = useTexts(texts);
  return ({ price, status }, index) =>
    t('ticketLine', { number: String(index + 1), price: formatPrice(price), status: t(status) });
}

/** "11/28/2026, 7:05 PM: $25.00, refunded" */
export function useRefundLine(): (refund: ManagedOrder['refunds'][number]) => string {
  const t = useTexts(texts);
  return ({ requestedAt, amount, state }) =>
    t('refundLine', {
      when: formatMoment(requestedAt),
      amount: formatCents(amount),
      state: t(state),
    });
}
