import { TicketPurchaseResult } from '@beltway/contracts/ticketing/tickets';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { post } from '../../lib/http/http.ts';
import { orderKeys, orderSlot } from '../../lib/orders/orders.ts';

const SECRETS = ['payment_intent', 'payment_intent_client_secret', 'redirect_status'];

/**
 * The order that the URL names: a mail's link (`key`), the provider's return URL (`payment_intent`), or the checkout's
 * URL. Removes secrets from the URL, because people copy and photograph the address bar, and servers log URLs.
 */
export function useOrderLink() {
  const [params, setParams] = useSearchParams();
  const orderId = params.get('orderId');
  const { hash } = useLocation();
  const key = new URLSearchParams(hash.slice(1)).get('key');
  if (orderId && key) orderKeys.set(orderId, key);
  const [returned] = useState(() => params.get('payment_intent'));
  const [isRefused] = useState(() => params.get('redirect_status') === 'failed');

  const hasSecrets = hash !== '' || SECRETS.some((name) => params.has(name));
  useEffect(() => {
    if (!hasSecrets) return;
    setParams((before) => new URLSearchParams([...before].filter(([name]) => !SECRETS.includes(name))), {
      replace: true,
    });
  }, [hasSecrets, setParams]);

  // Reports the payment to the server if the provider redirected the buyer away from the checkout and back, because the
  // checkout could not make this call.
  const settled = useQuery({
    queryKey: ['returned-payment', returned],
    queryFn: async () => {
      const body = { paymentIntentId: returned };
      const order = await post('/api/process-ticket-purchase', body, TicketPurchaseResult);
      if (order.status !== 'held') localStorage.removeItem(orderSlot(order.eventId)); // the checkout is done
      return order;
    },
    enabled: returned !== null,
  });
  return {
    orderId: orderId ?? settled.data?.orderId ?? null,
    eventId: Number(params.get('eventId')) || null,
    /** Whether the provider's return URL reports that the payment failed. */
    isRefused,
    isSettling: returned !== null && settled.isPending && !orderId,
  };
}
