import type { Order } from '@beltway/contracts/ticketing/tickets';
import { useTexts } from '../i18n/catalog.ts';
import { post } from '../http/http.ts';
import { keyHeaders, orderKeys } from './orders.ts';
import { Button } from '../../ui/button.tsx';
import { useAction } from '../actions/use-action.ts';
import { texts } from './texts.en.ts';

/** Mails the tickets again, for a buyer who cannot find the mail. */
export function MailAgain({
  order: { orderId, ticketHolderEmail },
}: {
  order: Pick<Order, 'orderId' | 'ticketHolderEmail'>;
}) {
  const t = useTexts(texts);
  const send = useAction({
    mutationFn: () =>
      post(`/api/orders/${orderId}/mail`, undefined, undefined, { headers: keyHeaders(orderKeys.get(orderId)) }),
    done: { title: t('mailedAgain'), description: t('mailedAgainWhy', { email: ticketHolderEmail ?? '' }) },
    failed: t('notSent'),
  });
  return (
    <Button
      variant="quiet"
      className="-ml-5 justify-self-start print:hidden"
      pending={send.isPending}
      onClick={() => send.mutate()}
    >
      {send.isPending ? t('sending') : t('mailAgain')}
    </Button>
  );
}
