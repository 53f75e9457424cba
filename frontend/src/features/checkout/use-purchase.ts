import type { Event } from '@beltway/contracts/catalog/events';
import type { Hold, TicketPurchaseResult } from '@beltway/contracts/ticketing/tickets';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Verdict } from '../../lib/card-form/card-form.tsx';
import { askUntilKnown, pauseAfter } from '../../lib/card-form/settling.ts';
import { textsNow } from '../../lib/i18n/catalog.ts';
import type { SaleState } from '../../lib/events/event-facts.ts';
import { guestKey } from '../../lib/orders/guest-key.ts';
import { explain, HttpError, isPassing, passesSoon } from '../../lib/http/http.ts';
import { isUnpaid, orderPath, orderQuery } from '../../lib/orders/orders.ts';
import { serverNow } from '../../lib/time/server-clock.ts';
import { useSession } from '../../lib/session/session.ts';
import { toast } from '../../ui/toast.ts';
import { extendHold, holdIfCurrent, prepare, processPurchase, type Details } from './api.ts';
import { openCheckout } from './leave.ts';
import { orderMemory } from './order-memory.ts';
import { codeOf, errorsOfBuyer, isAlreadyPaid, isRefusal } from './refusals.ts';
import type { Beginning, Ending } from './resume.ts';
import { texts } from './texts.en.ts';

/** `over`: the hold has run out. */
export type Step = 'details' | 'payment' | 'over';

/** After a decline the server hears from the provider within this time (milliseconds), and then gives ten more minutes. */
const LISTEN_AFTER = [500, 2_000, 4_000];
/** A changed quantity is sent when it has not changed for this long (milliseconds). */
const SETTLES_MS = 400;
/** A hold that is refused because the sale has not opened yet is sent again each second, this many times: clocks differ. */
const EARLY_TRIES = 20;
const PASSING_TRIES = 3;

/** `asking`: the hold has lapsed by this device's clock and the server is asked. `no-answer`: it could not be reached. */
export type Doubt = 'asking' | 'no-answer';

/** The state of one purchase: the buyer's details, the hold, the payment, and the step that is shown. */
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
  const [prepared, setPrepared] = useState(resumed?.intent ?? null);
  const [chosen, setStep] = useState<Step>(resumed?.intent ? 'payment' : 'details');
  // A payment is of the hold it was made for. Answers come in any order, so it is compared when it is shown, not when one comes.
  const intent = prepared?.orderId === held?.orderId ? prepared : null;
  const step = chosen === 'payment' && !intent ? 'details' : chosen;
  const [doubt, setDoubt] = useState<Doubt | null>(null);
  const [ending, setEnding] = useState<Ending | null>(null);
  /** The stock version that was shown when a hold was refused as all-held; a newer version may have tickets. */
  const [refusedAt, setRefusedAt] = useState<number | null>(null);
  const isPaying = useRef(false);
  const isOpen = useRef(true);
  /** The number of the last request for tickets: a retry of an earlier one must not exchange what a later one holds. */
  const lastRequest = useRef(0);
  /** The order whose state is being requested. */
  const asking = useRef<string | null>(null);

  const ask = ({ orderId }: Hold) => queries.fetchQuery({ ...orderQuery(orderId), staleTime: 0 });
  const orderOf = (mine: Hold) => ask(mine).catch(() => null);
  const leaveFor = ({ orderId, quantity }: Pick<Hold, 'orderId' | 'quantity'>) => {
    queries.removeQueries({ queryKey: ['/api/orders', orderId] });
    void navigate(orderPath({ eventId: event.id, quantity, orderId }), { replace: true });
    orderMemory.clear(event.id);
  };
  const refresh = () => void queries.invalidateQueries({ queryKey: ['/api/events'] });

  const showQuantity = ({ quantity }: Hold) => setDetails((typed) => ({ ...typed, quantity }));

  const isCurrent = (request: number) => isOpen.current && request === lastRequest.current;
  const take = useMutation({
    mutationFn: ({ quantity, request }: { quantity: number; request: number }) =>
      holdIfCurrent(event.id, quantity, () => isCurrent(request)),
    retry: (tries, error) =>
      isOpen.current &&
      (codeOf(error) === 'not-on-sale-yet' ? tries < EARLY_TRIES : passesSoon(error) && tries < PASSING_TRIES),
    retryDelay: (tries, error) =>
      codeOf(error) === 'not-on-sale-yet'
        ? 1_000
        : ((error instanceof HttpError && error.retryAfter) || 2 ** tries / 2) * 1_000,
    onSuccess: (made) => made && setHeld(made),
    onError: (error, { request }) => {
      if (!isCurrent(request)) return;
      const known = orderMemory.get(event.id)?.order;
      if (isAlreadyPaid(error) && known) return leaveFor(known);
      setRefusedAt(event.stockVersion);
      // A refused change leaves the present hold as it is.
      if (held) showQuantity(held);
      // A refusal means that the stock on screen is out of date.
      refresh();
    },
  });

  const takeTickets = (quantity: number) => take.mutate({ quantity, request: ++lastRequest.current });

  const begin = useMutation({
    mutationFn: () => {
      lastRequest.current++;
      return prepare(event.id, details);
    },
    onSuccess: (made) => {
      setHeld(made);
      showQuantity(made);
      setPrepared(made);
      setStep('payment');
    },
    onError: (error) => {
      if (!isOpen.current) return;
      const known = orderMemory.get(event.id)?.order;
      if (isAlreadyPaid(error) && known) return leaveFor(known);
      setHeld(known ?? null);
      setRefusedAt(event.stockVersion);
      if (known) showQuantity(known);
      if (!isRefusal(error) && Object.keys(errorsOfBuyer(error)).length === 0)
        toast({
          title: textsNow(texts)('setupError'),
          description: textsNow(texts)('initializeAgain'),
          variant: 'destructive',
        });
      refresh();
    },
  });

  const extend = useMutation({
    mutationFn: extendHold,
    onSuccess: ({ holdUntil, extendable }) => setHeld((before) => before && { ...before, holdUntil, extendable }),
    onError: (error) => {
      if (isOpen.current)
        toast({ title: textsNow(texts)('notExtended'), description: explain(error), variant: 'destructive' });
    },
  });

  const end = (how: Ending) => {
    orderMemory.clear(event.id);
    setEnding(how);
    setStep('over');
  };

  /** What the server says of a hold whose time seems to be over. Answers whether that settles it. */
  const checkOrder = async (mine: Hold, isAsked: () => boolean): Promise<boolean> => {
    try {
      const { status, holdUntil: until, extendable } = await ask(mine);
      if (!isAsked()) return true;
      if (isUnpaid(status)) end('unpaid');
      else if (status !== 'held') leaveFor(mine);
      else if (until && Date.parse(until) > serverNow()) setHeld({ ...mine, holdUntil: until, extendable });
      else {
        setDoubt('asking');
        return false;
      }
      return true;
    } catch (error) {
      if (!isAsked()) return true;
      if (error instanceof HttpError && !isPassing(error)) {
        end('unknown');
        return true;
      }
      setDoubt('no-answer');
      return false;
    }
  };

  /** The hold has lapsed by this device's clock. The server decides: it is asked until it confirms. Not during a payment. */
  const timeUp = async (mine: Hold) => {
    if (isPaying.current || asking.current === mine.orderId) return;
    asking.current = mine.orderId;
    const isAsked = () => isOpen.current && !isPaying.current && asking.current === mine.orderId;
    for (let tries = 0; isAsked() && !(await checkOrder(mine, isAsked)); tries++) await pauseAfter(tries);
    if (asking.current !== mine.orderId) return;
    asking.current = null;
    setDoubt(null);
  };

  const showSold = ({ status, quantity, eventTitle }: TicketPurchaseResult) => {
    if (status === 'fulfilled')
      toast({
        title: textsNow(texts)('purchased'),
        description: textsNow(texts)('purchasedWhat', { count: quantity, number: String(quantity), title: eventTitle }),
        ...(isOpen.current && { at: '/ticket-success' }),
      });
  };
  const bought = (mine: Hold) => {
    void queries.invalidateQueries({ queryKey: ['/api/tickets/my-tickets'] });
    refresh();
    // A buyer who has left this page is not moved; the order is remembered, and opening the checkout leads to its tickets.
    if (isOpen.current) leaveFor(mine);
  };

  const paid = async (mine: Hold, paymentIntentId: string) => {
    // The money was taken. If this call fails, the provider's webhook sells the tickets; the next page waits for them.
    await processPurchase(paymentIntentId).then(showSold, () => undefined);
    bought(mine);
  };

  const settle = (mine: Hold, paymentIntentId: string, waiting: () => void): Promise<Verdict> =>
    askUntilKnown(
      async () => {
        const result = await processPurchase(paymentIntentId);
        if (!isOpen.current) return 'unknown';
        if (result.status === 'held') return 'unpaid';
        if (isUnpaid(result.status)) {
          end('unpaid');
          return 'unpaid';
        }
        showSold(result);
        bought(mine);
        return 'paid';
      },
      isOpen,
      waiting,
    );

  /** A declined card extends the hold by ten minutes, once; shown when the server has received the decline. */
  const failed = async (mine: Hold) => {
    for (const wait of LISTEN_AFTER) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      if (isPaying.current || !isOpen.current) return; // the next try calls this again
      const order = await orderOf(mine);
      if (isPaying.current || !isOpen.current) return;
      if (order && order.status !== 'held' && !isUnpaid(order.status)) return bought(mine);
      const { holdUntil: until } = order ?? {};
      if (order?.status !== 'held' || !until || until === mine.holdUntil) continue;
      return setHeld((before) => before && { ...before, holdUntil: until, extendable: order.extendable });
    }
    if (Date.parse(mine.holdUntil) <= serverNow()) await timeUp(mine);
  };

  // The hold comes before anything is typed: when a sale opens, tickets are gone within seconds.
  const holdFirst = useEffectEvent(() => {
    if (!held) takeTickets(details.quantity);
  });
  useEffect(() => {
    if (state === 'on-sale') holdFirst();
  }, [state]);
  useEffect(() => {
    // Requested before the sale opens, so that the hold does not have to wait for it.
    if (!token) void guestKey().catch(() => undefined);
  }, [token]);

  const change = useEffectEvent((quantity: number) => {
    if (held && held.quantity !== quantity) takeTickets(quantity);
  });
  useEffect(() => {
    const timer = setTimeout(() => change(details.quantity), SETTLES_MS);
    return () => clearTimeout(timer);
  }, [details.quantity, held]);

  useEffect(() => {
    isOpen.current = true;
    const leave = openCheckout(event.id);
    return () => {
      isOpen.current = false;
      leave(isPaying.current);
    };
  }, [event.id]);

  const changedElsewhere = useEffectEvent(() => {
    const { order } = orderMemory.get(event.id) ?? {};
    if (order && order.orderId !== held?.orderId) {
      setHeld(order);
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
    doubt,
    ending,
    isAllHeld: codeOf(take.error ?? begin.error) === 'all-held' && refusedAt === event.stockVersion,
    timeUp,
    paid,
    settle,
    failed,
    setPaying: (paying: boolean) => {
      isPaying.current = paying;
    },
    tryAgain: () => {
      begin.reset();
      takeTickets(details.quantity);
    },
    changeDetails: () => setStep('details'),
    startOver: () => {
      orderMemory.clear(event.id);
      setEnding(null);
      setPrepared(null);
      setHeld(null);
      setStep('details');
      refresh();
      takeTickets(details.quantity);
    },
  };
}
