import type { Event } from '@beltway/contracts/catalog';
import type { Hold } from '@beltway/contracts/ticketing';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { SaleState } from '../../lib/event-facts.ts';
import { guestKey } from '../../lib/guest-key.ts';
import { explain, HttpError, isPassing } from '../../lib/http.ts';
import { isBought, orderPath, orderQuery } from '../../lib/orders.ts';
import { useSession } from '../../lib/session.ts';
import { toast } from '../../ui/toast.ts';
import { extendHold, hold, prepare, processPurchase, type Details } from './api.ts';
import { openCheckout } from './leave.ts';
import { orderMemory } from './order-memory.ts';
import { codeOf, detailErrors, isAlreadyPaid, isRefusal } from './refusals.ts';
import type { Beginning } from './resume.ts';

/** `over`: the hold has run out. */
export type Step = 'details' | 'payment' | 'over';

/** After a decline the server hears from the provider within this time (milliseconds), and then gives ten more minutes. */
const LISTEN_AFTER = [500, 2_000, 4_000];
/** Pressed several times, a new quantity is asked for once. */
const SETTLES_MS = 400;
/** Clocks differ: who comes before the sale's own opening asks again each second. */
const EARLY_TRIES = 20;
const PASSING_TRIES = 3;

/** One purchase, from the details to the tickets: what is typed, what is held, and what comes next. */
export function usePurchase(event: Event, beginning: Beginning, state: SaleState) {
  const { user, token } = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const resumed = beginning.kind === 'held' ? beginning : null;
  const [details, setDetails] = useState<Details>(() => {
    const holder = orderMemory.holder();
    return {
      name: holder?.name ?? user?.name ?? '',
      email: holder?.email ?? user?.email ?? '',
      quantity: resumed?.hold.quantity ?? orderMemory.get(event.id)?.asked?.quantity ?? 1,
    };
  });
  const [held, setHeld] = useState(resumed?.hold ?? null);
  const [intent, setIntent] = useState(resumed?.intent ?? null);
  const [step, setStep] = useState<Step>(resumed?.intent ? 'payment' : 'details');
  const isPaying = useRef(false);

  const orderOf = ({ orderId }: Hold) => queries.fetchQuery({ ...orderQuery(orderId), staleTime: 0 }).catch(() => null);
  const leaveFor = ({ orderId, quantity }: Pick<Hold, 'orderId' | 'quantity'>) => {
    queries.removeQueries({ queryKey: ['/api/orders', orderId] });
    void navigate(orderPath({ eventId: event.id, quantity, orderId }), { replace: true });
    orderMemory.clear(event.id);
  };
  const refresh = () => void queries.invalidateQueries({ queryKey: ['/api/events'] });

  /** What the server holds for this browser is what the page shows. */
  const adopt = (mine: Hold) => {
    if (mine.orderId !== held?.orderId) setIntent(null);
    setHeld(mine);
  };
  const showQuantity = ({ quantity }: Hold) => setDetails((typed) => ({ ...typed, quantity }));

  const take = useMutation({
    mutationFn: (quantity: number) => hold(event.id, quantity),
    retry: (tries, error) =>
      codeOf(error) === 'not-on-sale-yet' ? tries < EARLY_TRIES : isPassing(error) && tries < PASSING_TRIES,
    retryDelay: (tries, error) =>
      codeOf(error) === 'not-on-sale-yet'
        ? 1_000
        : ((error instanceof HttpError && error.retryAfter) || 2 ** tries / 2) * 1_000,
    onSuccess: adopt,
    onError: (error) => {
      const known = orderMemory.get(event.id)?.order;
      if (isAlreadyPaid(error) && known) return leaveFor(known);
      // Refused: what is held stays held.
      if (held) showQuantity(held);
      // "Sold out" is exactly when the number on screen is stale.
      refresh();
    },
  });

  const begin = useMutation({
    mutationFn: () => prepare(event.id, details),
    onSuccess: (made) => {
      adopt(made);
      showQuantity(made);
      setIntent(made);
      setStep('payment');
    },
    onError: (error) => {
      const known = orderMemory.get(event.id)?.order;
      if (isAlreadyPaid(error) && known) return leaveFor(known);
      setHeld(known ?? null);
      if (known) showQuantity(known);
      if (!isRefusal(error) && !detailErrors(error))
        toast({
          title: 'Setup Error',
          description: 'Unable to initialize payment. Please try again.',
          variant: 'destructive',
        });
      refresh();
    },
  });

  const extend = useMutation({
    mutationFn: extendHold,
    onSuccess: ({ holdUntil, extendable }) => setHeld((before) => before && { ...before, holdUntil, extendable }),
    onError: (error) => toast({ title: 'Not extended', description: explain(error), variant: 'destructive' }),
  });

  /** By this clock the time is over; the server's decides. A payment under way is waited for. */
  const timeUp = async (mine: Hold) => {
    if (isPaying.current) return;
    const order = await orderOf(mine);
    if (order && isBought(order.status)) return leaveFor(mine);
    const { holdUntil: until } = order ?? {};
    if (order?.status === 'held' && until && Date.parse(until) > Date.now())
      return setHeld({ ...mine, holdUntil: until, extendable: order.extendable });
    orderMemory.clear(event.id);
    setStep('over');
  };

  const paid = async (mine: Hold, paymentIntentId: string) => {
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
    refresh();
    leaveFor(mine);
  };

  /** A declined card gets ten more minutes, once; they show when the server has heard of it. */
  const failed = async (mine: Hold) => {
    for (const wait of LISTEN_AFTER) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      if (isPaying.current) return; // the next try asks for itself
      const order = await orderOf(mine);
      const { holdUntil: until } = order ?? {};
      if (order?.status !== 'held' || !until || until === mine.holdUntil) continue;
      return setHeld((before) => before && { ...before, holdUntil: until, extendable: order.extendable });
    }
    if (Date.parse(mine.holdUntil) <= Date.now()) await timeUp(mine);
  };

  // First of all the tickets, before anything is typed: in the opening second that is what counts.
  const holdFirst = useEffectEvent(() => {
    if (!held) take.mutate(details.quantity);
  });
  useEffect(() => {
    if (state === 'on-sale') holdFirst();
  }, [state]);
  useEffect(() => {
    // Before the sale opens, so that the hold itself need not wait for it.
    if (!token) void guestKey().catch(() => undefined);
  }, [token]);

  const change = useEffectEvent((quantity: number) => {
    if (held && held.quantity !== quantity) take.mutate(quantity);
  });
  useEffect(() => {
    const timer = setTimeout(() => change(details.quantity), SETTLES_MS);
    return () => clearTimeout(timer);
  }, [details.quantity, held]);

  useEffect(() => {
    const leave = openCheckout(event.id);
    return () => leave(isPaying.current);
  }, [event.id]);

  const changedElsewhere = useEffectEvent(() => {
    const { order } = orderMemory.get(event.id) ?? {};
    if (order && order.orderId !== held?.orderId) {
      adopt(order);
      showQuantity(order);
      setStep('details');
    } else if (!order && held) void timeUp(held);
  });
  useEffect(() => orderMemory.follow(event.id, () => changedElsewhere()), [event.id]);

  return {
    details,
    setDetails: (changed: Details) => {
      orderMemory.setHolder(changed);
      setDetails(changed);
      if (begin.isError) begin.reset();
      if (take.isError) take.reset();
    },
    held,
    intent,
    step,
    take,
    begin,
    extend,
    timeUp,
    paid,
    failed,
    setPaying: (paying: boolean) => {
      isPaying.current = paying;
    },
    tryAgain: () => {
      begin.reset();
      take.mutate(details.quantity);
    },
    changeDetails: () => setStep('details'),
    startOver: () => {
      orderMemory.clear(event.id);
      setIntent(null);
      setHeld(null);
      setStep('details');
      refresh();
      take.mutate(details.quantity);
    },
  };
}
