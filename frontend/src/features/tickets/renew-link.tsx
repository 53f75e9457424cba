import { OrderLink, type Order } from '@beltway/contracts/ticketing/tickets';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { passesSoon, post } from '../../lib/http/http.ts';
import { keyHeaders, orderKeys, orderPath } from '../../lib/orders/orders.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { useAction } from '../../lib/actions/use-action.ts';
import { texts } from './texts.en.ts';

/** Creates a new link to the order and invalidates all earlier links, for a buyer whose mail reached another person. */
export function RenewLink({ order }: { order: Order }) {
  const t = useTexts(texts);
  const { orderId, quantity, event, ticketHolderEmail } = order;
  const [attempt, setAttempt] = useState(() => crypto.randomUUID());
  const renew = useAction({
    mutationFn: () =>
      post(`/api/orders/${orderId}/link`, undefined, OrderLink, {
        headers: { ...keyHeaders(orderKeys.get(orderId)), 'idempotency-key': attempt },
      }),
    retry: (tries, error) => passesSoon(error) && tries < 3,
    onSuccess: ({ accessKey }) => {
      orderKeys.set(orderId, accessKey);
      setAttempt(crypto.randomUUID());
    },
    failed: t('noNewLink'),
  });
  const copy = (key: string) => {
    const url = new URL(orderPath({ eventId: event.id, quantity, orderId }), window.location.origin);
    url.hash = new URLSearchParams({ key }).toString();
    navigator.clipboard.writeText(url.href).then(
      () => toast({ title: t('copied') }),
      () => toast({ title: t('notCopied'), description: t('inYourMail'), variant: 'destructive' }),
    );
  };
  return (
    <section aria-labelledby="order-link" className="grid max-w-prose gap-3 border-t border-line pt-6 print:hidden">
      <h2 id="order-link" className="text-title font-strong">
        {t('theLink')}
      </h2>
      <p role="status" className="text-ink-soft">
        {!renew.data
          ? t('theLinkWhy')
          : ticketHolderEmail
            ? t('madeAnewMailed', { email: ticketHolderEmail })
            : t('madeAnew')}
      </p>
      <div className="flex flex-wrap gap-3">
        {renew.data && (
          <Button variant="secondary" onClick={() => copy(renew.data.accessKey)}>
            {t('copyLink')}
          </Button>
        )}
        <Button variant={renew.data ? 'quiet' : 'secondary'} pending={renew.isPending} onClick={() => renew.mutate()}>
          {t('newLink')}
        </Button>
      </div>
    </section>
  );
}
