import type { Event } from '@beltway/contracts/catalog';
import type { TicketPaymentIntent } from '@beltway/contracts/ticketing';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, CircleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { explain } from '../../lib/http.ts';
import { orderQuery } from '../../lib/orders.ts';
import { useStock } from '../../lib/realtime.ts';
import { useSession } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.ts';
import { extendHold, prepare, processPurchase, providerQuery, type Details } from './api.ts';
import { DetailsForm } from './details-form.tsx';
import { HoldClock } from './hold-clock.tsx';
import { orderMemory } from './order-memory.ts';
import { OrderSummary } from './order-summary.tsx';
import { PaymentForm } from './payment-form.tsx';
import { isAboutQuantity, refusalText } from './refusals.ts';

const centsOf = (event: Event) => Math.round(Number(event.ticketPrice) * 100);
const successPath = (eventId: number, quantity: number, orderId: string) =>
  `/ticket-success?${new URLSearchParams({ eventId: String(eventId), quantity: String(quantity), orderId }).toString()}`;

/** Details, then payment, on one page: what was typed and what is held survives going back and reloading. */
export function Checkout({ event }: { event: Event }) {
  const { user } = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remembered = orderMemory.get(event.id);
  const [details, setDetails] = useState<Details>(() => {
    const holder = remembered ?? orderMemory.holder();
    return {
      name: holder?.name ?? user?.name ?? '',
      email: holder?.email ?? user?.email ?? '',
      quantity: remembered?.quantity ?? 1,
    };
  });
  const [intent, setIntent] = useState<TicketPaymentIntent | null>(null);
  const [step, setStep] = useState<'details' | 'payment' | 'over'>('details');
  const wish = useRef(crypto.randomUUID());
  const heading = useRef<HTMLHeadingElement>(null);
  useStock([event.id]);

  const provider = useQuery({ ...providerQuery, enabled: step === 'payment' });
  const priceCents = intent?.priceCents ?? centsOf(event);
  const own = intent?.quantity ?? remembered?.quantity ?? 0;
  const left = (event.totalTickets ?? 0) - event.soldTickets - event.heldTickets + own;

  const begin = useMutation({
    mutationFn: () => prepare(event.id, details, wish.current),
    onSuccess: (made) => {
      setIntent(made);
      setStep('payment');
    },
    onError: (error) => {
      wish.current = crypto.randomUUID();
      if (!isAboutQuantity(error))
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
    mutationFn: (held: TicketPaymentIntent) => extendHold(held.orderId, held.accessKey),
    onSuccess: ({ holdUntil, extendable }) => setIntent((before) => before && { ...before, holdUntil, extendable }),
    onError: (error) => toast({ title: 'Not extended', description: explain(error), variant: 'destructive' }),
  });

  // A reload in the middle of an order goes on where it was.
  const resumed = useRef(false);
  useEffect(() => {
    if (resumed.current || !remembered) return;
    resumed.current = true;
    queries
      .fetchQuery({ ...orderQuery(remembered.orderId), staleTime: 0 })
      .then(({ status }) => {
        if (status === 'held') return begin.mutate();
        orderMemory.clear(event.id);
        if (status === 'fulfilled' || status === 'processing')
          void navigate(successPath(event.id, remembered.quantity, remembered.orderId), { replace: true });
      })
      .catch(() => orderMemory.clear(event.id));
  });

  const shownStep = useRef(step);
  useEffect(() => {
    if (shownStep.current !== step) heading.current?.focus();
    shownStep.current = step;
  }, [step]);

  const paid = async (held: TicketPaymentIntent, paymentIntentId: string) => {
    orderMemory.clear(event.id);
    const target = successPath(event.id, held.quantity, held.orderId);
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
    queries.removeQueries({ queryKey: ['/api/orders', held.orderId] });
    void navigate(target, { replace: true });
  };

  const declined = async (held: TicketPaymentIntent) => {
    // A declined card gets ten more minutes, once; they show when the server has heard of it.
    for (const wait of [500, 2_000]) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      const order = await queries.fetchQuery({ ...orderQuery(held.orderId), staleTime: 0 }).catch(() => null);
      const until = order?.holdUntil;
      if (until) setIntent((before) => before && { ...before, holdUntil: until, extendable: order.extendable });
    }
  };

  const startOver = () => {
    orderMemory.clear(event.id);
    wish.current = crypto.randomUUID();
    setIntent(null);
    setStep('details');
    void queries.invalidateQueries({ queryKey: ['/api/events'] });
  };

  const clock = intent && step !== 'over' && (
    <HoldClock
      until={intent.holdUntil}
      extendable={intent.extendable}
      extending={extend.isPending}
      onExtend={() => extend.mutate(intent)}
      onEnd={() => setStep('over')}
    />
  );

  return (
    <div className="page grid gap-8 py-8 lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start lg:gap-12 lg:py-12">
      <div className="lg:order-last lg:sticky lg:top-24">
        <OrderSummary
          event={event}
          quantity={step === 'details' ? details.quantity : (intent?.quantity ?? details.quantity)}
          priceCents={priceCents}
          clock={clock}
        />
      </div>
      <section className="grid max-w-xl gap-6">
        <header>
          <p className="text-note text-ink-soft">Step {step === 'payment' ? 2 : 1} of 2</p>
          <h1 ref={heading} tabIndex={-1} className="text-heading outline-none">
            {step === 'payment' ? 'Payment' : step === 'over' ? 'Your time is up' : 'Get your tickets'}
          </h1>
        </header>
        {step === 'details' && (
          <DetailsForm
            value={details}
            available={left}
            priceCents={priceCents}
            pending={begin.isPending}
            refusal={begin.isError && <Refusal error={begin.error} />}
            onChange={(changed) => {
              setDetails(changed);
              if (begin.isError) begin.reset();
            }}
            onContinue={() => begin.mutate()}
          />
        )}
        {step === 'payment' && intent && (
          <>
            <div className="flex flex-wrap items-center justify-between gap-3 rounded-md bg-sunken px-4 py-3">
              <p>
                {details.name} · <span className="text-ink-soft">{details.email}</span>
              </p>
              <Button variant="quiet" className="-mr-3" onClick={() => setStep('details')}>
                <ArrowLeft aria-hidden className="size-4" />
                Change details
              </Button>
            </div>
            {provider.isError ? (
              <ErrorState
                title="Unable to initialize payment"
                message={explain(provider.error)}
                onRetry={() => void provider.refetch()}
              />
            ) : provider.isPending ? (
              <Loading label="Loading the payment form" className="grid gap-4">
                <Skeleton className="h-14" />
                <Skeleton className="h-14" />
                <Skeleton className="h-12" />
              </Loading>
            ) : (
              <PaymentForm
                {...provider.data}
                intent={intent}
                returnUrl={new URL(successPath(event.id, intent.quantity, intent.orderId), window.location.origin).href}
                onPaid={(paymentIntentId) => void paid(intent, paymentIntentId)}
                onDeclined={() => void declined(intent)}
              />
            )}
          </>
        )}
        {step === 'over' && (
          <EmptyState title="The tickets went back on sale" action={<Button onClick={startOver}>Try again</Button>}>
            We held them for you for as long as we could. Nothing was charged. If there are still some left, you can
            start again.
          </EmptyState>
        )}
      </section>
    </div>
  );
}

function Refusal({ error }: { error: unknown }) {
  return (
    <p role="alert" className="flex items-start gap-2 rounded-md bg-danger-soft px-4 py-3 text-danger-ink">
      <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
      {refusalText(error)}
    </p>
  );
}
