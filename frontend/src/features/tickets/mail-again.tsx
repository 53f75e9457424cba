import type { Order } from '@beltway/contracts/ticketing';
import { useMutation } from '@tanstack/react-query';
import { explain, post } from '../../lib/http.ts';
import { keyHeaders, orderKeys } from '../../lib/orders.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';

/** Mails the tickets again, for a buyer who does not find the mail. */
export function MailAgain({ order: { orderId, ticketHolderEmail } }: { order: Order }) {
  const send = useMutation({
    mutationFn: () =>
      post(`/api/orders/${orderId}/mail`, undefined, undefined, { headers: keyHeaders(orderKeys.get(orderId)) }),
    onSuccess: () => toast({ title: 'On its way', description: `We mail your tickets to ${ticketHolderEmail} again.` }),
    onError: (error) => toast({ title: 'Not sent', description: explain(error), variant: 'destructive' }),
  });
  return (
    <Button
      variant="quiet"
      className="-ml-5 justify-self-start print:hidden"
      pending={send.isPending}
      onClick={() => send.mutate()}
    >
      {send.isPending ? 'Sending…' : 'Send the email again'}
    </Button>
  );
}
