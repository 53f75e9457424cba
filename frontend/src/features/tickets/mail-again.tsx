import type { Order } from '@beltway/contracts/ticketing/tickets';
import { useMutation } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalogue.ts';
import { explain, post } from '../../lib/http/http.ts';
import { keyHeaders, orderKeys } from '../../lib/orders/orders.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { texts } from './texts.ts';

/** Mails the tickets again, for a buyer who does not find the mail. */
export function MailAgain({ order: { orderId, ticketHolderEmail } }: { order: Order }) {
  const t = useTexts(texts);
  const send = useMutation({
    mutationFn: () =>
      post(`/api/orders/${orderId}/mail`, undefined, undefined, { headers: keyHeaders(orderKeys.get(orderId)) }),
    onSuccess: () =>
      toast({ title: t('mailedAgain'), description: t('mailedAgainWhy', { email: ticketHolderEmail ?? '' }) }),
    onError: (error) => toast({ title: t('notSent'), description: explain(error), variant: 'destructive' }),
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
