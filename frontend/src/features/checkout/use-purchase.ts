import type { Event } from '@beltway/contracts/catalog';
import type { TicketPaymentIntent } from '@beltway/contracts/ticketing';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { explain, HttpError } from '../../lib/http.ts';
import { isBought, orderPath, orderQuery } from '../../lib/orders.ts';
import { useSession } from '../../lib/session.ts';
import { toast } from '../../ui/toast.ts';
import { extendHold, prepare, processPurchase, type Details } from './api.ts';
import { orderMemory } from './order-memory.ts';
import { detailErrors, isAlreadyPaid, isRefusal } from './refusals.ts';

/** `over`: the hold has run out. */
export type Step = 'details' | 'payment' | 'over';

/** After a decline the server hears from the provider within this time (milliseconds), and then gives ten more minutes. */
const LISTEN_AFTER = [500, 2_000, 4_000];

/** One purchase, from the details to the tickets: what is typed, what is held, and what comes next. */
export function usePurchase(event: Event, held: TicketPaymentIntent | null) {
  const { user } = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [details, setDetails] = useState<Details>(() => {
    const holder = orderMemory.get(event.id) ?? orderMemory.holder();
    return {
      name: holder?.name ?? user?.name ?? '',
      email: holder?.email ?? user?.email ?? '',
      quantity: held?.quantity ?? 1,
    };
  });
  const [intent, setIntent] = useState(held);
  const [step, setStep] = useState<Step>(held ? 'payment' : 'details');
  const wish = useRef(crypto.randomUUID());
  const isPaying = useRef(false);

  const orderOf = ({ orderId }: TicketPaymentIntent) =>
    queries.fetchQuery({ ...orderQuery(orderId), staleTime: 0 }).catch(() => null);
  const leaveFor = ({ orderId, quantity }: Pick<TicketPaymentIntent, 'orderId' | 'quantity'>) => {
    queries.removeQueries({ queryKey: ['/api/orders', orderId] });
    void navigate(orderPath({ eventId: event.id, quantity, orderId }), { replace: true });
    orderMemory.clear(event.id);
  };

  const begin = useMutation({
    mutationFn: () => prepare(event.id, details, wish.current),
    onSuccess: (made) => {
      wish.current = crypto.randomUUID();
      setIntent(made);
      setStep('payment');
    },
    onError: (error) => {
      // No answer: asked again it is the same order. Any answer: that wish is settled.
      if (error instanceof HttpError) wish.current = crypto.randomUUID();
      const known = orderMemory.get(event.id);
      if (isAlreadyPaid(error) && known) return leaveFor(known);
      if (!isRefusal(error) && !detailErrors(error))
        toast({
          title: 'Setup Error',
          description: 'Unable to initialize payment. Please try again.',
          variant: 'destructive',
        });
      // "Sold out" is exactly when the number on screen is stale.
      void queries.invalidateQueries({ queryKey: ['/api/events'] });
    },
  });

  const extend = useMutation({
    mutationFn: (mine: TicketPaymentIntent) => extendHold(mine.orderId, mine.accessKey),
    onSuccess: ({ holdUntil, extendable }) => setIntent((before) => before && { ...before, holdUntil, extendable }),
    onError: (error) => toast({ title: 'Not extended', description: explain(error), variant: 'destructive' }),
  });

  /** By this clock the time is over; the server's decides. A payment under way is waited for. */
  const timeUp = async (mine: TicketPaymentIntent) => {
    if (isPaying.current) return;
    const order = await orderOf(mine);
    if (order && isBought(order.status)) return leaveFor(mine);
    const { holdUntil: until } = order ?? {};
    if (order?.status === 'held' && until && Date.parse(until) > Date.now())
      return setIntent({ ...mine, holdUntil: until, extendable: order.extendable });
    setStep('over');
  };

  const paid = async (mine: TicketPaymentIntent, paymentIntentId: string) => {
    try {
      const { status, quantity, eventTitle } = await processPurchase(paymentIntentId);
      if (status === 'fulfilled')
        toast({
          title: 'Tickets Purchased Successfully!',
          description: `${quantity} ${quantity === 1 ? 'ticket' : 'tickets'} for ${eventTitle}`,
        });
    } catch {
      // The money has moved; the provider's own message makes the tickets. The next page waits for them.
    }
    void queries.invalidateQueries({ queryKey: ['/api/tickets/my-tickets'] });
    void queries.invalidateQueries({ queryKey: ['/api/events'] });
    leaveFor(mine);
  };

  /** A declined card gets ten more minutes, once; they show when the server has heard of it. */
  const failed = async (mine: TicketPaymentIntent) => {
    for (const wait of LISTEN_AFTER) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      if (isPaying.current) return; // the next try asks for itself
      const order = await orderOf(mine);
      const { holdUntil: until } = order ?? {};
      if (order?.status !== 'held' || !until || until === mine.holdUntil) continue;
      return setIntent((before) => before && { ...before, holdUntil: until, extendable: order.extendable });
    }
    if (Date.parse(mine.holdUntil) <= Date.now()) await timeUp(mine);
  };

  return {
    details,
    setDetails: (changed: Details) => {
      if (changed.quantity !== details.quantity) wish.current = crypto.randomUUID();
      setDetails(changed);
      if (begin.isError) begin.reset();
    },
    intent,
    step,
    begin,
    extend,
    timeUp,
    paid,
    failed,
    setPaying: (paying: boolean) => {
      isPaying.current = paying;
    },
    changeDetails: () => setStep('details'),
    startOver: () => {
      orderMemory.clear(event.id);
      setIntent(null);
      setStep('details');
      void queries.invalidateQueries({ queryKey: ['/api/events'] });
    },
  };
}
