import { RefundAnswer } from '@beltway/contracts/ticketing/orders';
import { admits } from '@beltway/contracts/ticketing/ticket-status';
import type { Ticket } from '@beltway/contracts/ticketing/tickets';
import { useState, type ReactNode } from 'react';
import { useTexts } from '../i18n/catalog.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { formatPrice } from '../i18n/format.ts';
import { passesSoon, post } from '../http/http.ts';
import { keyHeaders, orderKeys } from '../orders/orders.ts';
import { useAction } from '../actions/use-action.ts';
import { texts } from './texts.en.ts';

interface RefundDialogProps {
  orderId: string;
  /** All tickets of the order, in sequence. */
  tickets: readonly Pick<Ticket, 'id' | 'price' | 'status'>[];
  /** Whether the buyer cancels or the organizer refunds. */
  as: 'buyer' | 'organizer';
  /** Describes what is refunded: the event for the buyer, the order for the organizer. */
  children: ReactNode;
  onClose: () => void;
}

const WORDS = {
  buyer: { title: 'cancelTitle', keep: 'cancelKeep', done: 'cancelDone', under: 'cancelUnder', what: 'cancelWhat' },
  organizer: { title: 'refundTitle', keep: 'refundKeep', done: 'refundDone', under: 'refundUnder', what: 'refundWhat' },
} as const;
/** Queries that show orders, tickets, sales or stock. */
const CHANGED = [['/api/orders'], ['/api/tickets/my-tickets'], ['/api/tickets/sales'], ['/api/events']];

/** Lets the user choose the tickets to cancel, and shows the refund. A retry does not refund twice. */
export function RefundDialog({ orderId, tickets, as, children, onClose }: RefundDialogProps) {
  const t = useTexts(texts);
  const words = WORDS[as];
  const standing = tickets.filter(({ status }) => admits(status));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(standing.map(({ id }) => id)));
  const [reason, setReason] = useState('');
  const [attempt, setAttempt] = useState(() => crypto.randomUUID());
  const picked = standing.filter(({ id }) => chosen.has(id));
  const sum = picked.reduce((cents, { price }) => cents + Math.round(price * 100), 0) / 100;
  const what = { sum: formatPrice(sum), count: picked.length };
  const change = (to: ReadonlySet<string>, why = reason) => {
    setChosen(to);
    setReason(why);
    setAttempt(crypto.randomUUID());
  };
  const refund = useAction({
    mutationFn: () =>
      post(
        `/api/orders/${orderId}/refund`,
        { ticketIds: picked.map(({ id }) => id), ...(reason.trim() && { reason: reason.trim() }) },
        RefundAnswer,
        { headers: { ...keyHeaders(orderKeys.get(orderId)), 'idempotency-key': attempt } },
      ),
    retry: (tries, error) => passesSoon(error) && tries < 3,
    done: () => ({ title: t(words.done), description: t('doneWhat', what), at: window.location.pathname }),
    onSuccess: onClose,
    refresh: CHANGED,
  });
  return (
    <ConfirmDialog
      title={t(words.title)}
      action={t(words.what, what)}
      acting={t(words.under)}
      disabled={picked.length === 0}
      keep={t(words.keep)}
      mutation={refund}
      onClose={onClose}
    >
      {children}
      <fieldset className="grid gap-1">
        <legend className="mb-1 text-note font-strong">{t('which')}</legend>
        {tickets.map(({ id, price, status }, index) => (
          <label
            key={id}
            className="flex min-h-11 items-center gap-3 rounded-md px-2 has-[:enabled]:cursor-pointer has-[:enabled]:hover:bg-ink/8"
          >
            <input
              type="checkbox"
              className="size-5 accent-accent"
              checked={chosen.has(id)}
              disabled={!admits(status) || refund.isPending}
              onChange={({ target }) => {
                const next = new Set(chosen);
                if (target.checked) next.add(id);
                else next.delete(id);
                change(next);
              }}
            />
            <span className="flex-1">
              {t('ticketNumber', { number: String(index + 1) })}
              {!admits(status) && <span className="text-ink-soft">{t('notValid')}</span>}
            </span>
            <span className="tabular text-ink-soft">{formatPrice(price)}</span>
          </label>
        ))}
      </fieldset>
      {as === 'organizer' && (
        <Field label={t('reason')} optional hint={t('reasonHint')}>
          <Input maxLength={200} value={reason} onChange={({ target }) => change(chosen, target.value)} />
        </Field>
      )}
      <p className="text-ink-soft">{t('atOnce')}</p>
    </ConfirmDialog>
  );
}
