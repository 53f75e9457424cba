import type { Event } from '@beltway/contracts/catalog/events';
import { GENERAL, totalCents, type OrderLine } from '@beltway/contracts/ticketing/order-lines';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { saleState } from '../../lib/events/event-facts.ts';
import { formatCents } from '../../lib/i18n/format.ts';
import { useStock } from '../../lib/realtime/realtime.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { ActionBar } from './action-bar.tsx';
import { DetailsForm } from './details-form.tsx';
import { AskBeforePaying } from './identical-order.tsx';
import { HoldClock, HoldingClock } from './hold-clock.tsx';
import { NotAvailable } from './not-available.tsx';
import { COLUMNS, STEP } from './opening.tsx';
import { OrderSummary } from './order-summary.tsx';
import { PaymentStep } from './payment-step.tsx';
import { isAllHeld, type Step } from './purchase.ts';
import type { Beginning, Ending } from './resume.ts';
import { texts } from './texts.en.ts';
import { usePurchase } from './use-purchase.ts';
import { useWide } from './use-wide.ts';

interface CheckoutProps {
  event: Event;
  beginning: Beginning;
  /** Passed to `NotAvailable`. */
  ways: ReactNode;
}

/** The checkout, on one page: quantity and details, then payment. The draft and the hold survive Back and a reload. */
export function Checkout({ event, beginning, ways }: CheckoutProps) {
  const t = useTexts(texts);
  const now = useEventClock(event);
  const state = saleState(event, now);
  const { purchase, intent, step, dispatch, paid, settle } = usePurchase(event, beginning, state);
  const { details, held, failure, awaited, isPreparing } = purchase;
  const isWide = useWide();
  const heading = useFocusOnChange(step);
  useStock([event.id]);

  // A buyer with a hold may continue even if no other tickets can be bought.
  if (state !== 'on-sale' && !held && awaited === null) return <NotAvailable event={event} state={state} ways={ways} />;

  const quantity = step === 'payment' && intent ? intent.quantity : details.quantity;
  const priceCents = held?.lines[0]?.priceCents ?? Math.round(Number(event.ticketPrice) * 100);
  const lines: OrderLine[] = [{ ...GENERAL, quantity, priceCents }];
  // `heldTickets` may not include this page's own hold yet.
  const mine = Math.min(held?.quantity ?? 0, event.heldTickets);
  const left = (event.totalTickets ?? 0) - event.soldTickets - event.heldTickets + mine;
  const isTaking = awaited !== null || isPreparing;
  const clock =
    step === 'over' ? null : held ? (
      <HoldClock
        key={held.orderId}
        until={held.holdUntil}
        extendable={held.extendable}
        extending={purchase.isExtending}
        onExtend={() => dispatch({ type: 'ExtensionPressed' })}
        onEnd={() => dispatch({ type: 'ClockRanOut' })}
        doubt={purchase.doubt}
        isWide={isWide}
      />
    ) : isTaking ? (
      <HoldingClock quantity={quantity} isWide={isWide} />
    ) : null;
  const bar = (button: ReactNode) => (
    <ActionBar event={event} lines={lines} clock={clock} isWide={isWide}>
      {button}
    </ActionBar>
  );
  return (
    <div className={COLUMNS}>
      <div className="lg:order-last lg:h-full">
        <OrderSummary event={event} lines={lines} clock={clock} isWide={isWide} />
      </div>
      <section className={STEP}>
        <header>
          <p className="text-note text-ink-soft">
            {step !== 'over'
              ? t('step', { number: step === 'payment' ? '2' : '1' })
              : purchase.ending === 'unpaid' && t('notCharged')}
          </p>
          <h1 ref={heading} tabIndex={-1} className="text-heading outline-none">
            {t(step)}
          </h1>
        </header>
        {beginning.kind === 'new' && beginning.lost && step === 'details' && !failure && (
          <p role="status" className="rounded-md bg-warning-soft px-4 py-3 text-warning-ink">
            {[beginning.lost === 'unpaid' ? t('lostUnpaid') : t('lostUnknown'), held ? t('holdNew') : ''].join(' ')}
          </p>
        )}
        {step === 'details' && (
          <DetailsForm
            value={details}
            available={left}
            allHeld={!held && !isTaking && (left <= 0 || isAllHeld(purchase, event.stockVersion))}
            total={formatCents(totalCents(lines))}
            pending={isPreparing}
            error={failure?.error ?? null}
            onChange={(changed) => dispatch({ type: 'DetailsChanged', details: changed })}
            onContinue={() => dispatch({ type: 'PaymentRequested' })}
            onRetry={held || isTaking ? null : () => dispatch({ type: 'TryAgainPressed' })}
            bar={bar}
          />
        )}
        {step === 'payment' && held && intent && (
          <AskBeforePaying
            key={intent.orderId}
            event={event}
            intent={intent}
            onBack={() => dispatch({ type: 'ChangeDetailsPressed' })}
          >
            {(guard) => (
              <PaymentStep
                details={details}
                intent={intent}
                onChangeDetails={() => dispatch({ type: 'ChangeDetailsPressed' })}
                onPaying={(isPaying) => dispatch({ type: 'PayingChanged', isPaying })}
                onPaid={(paymentIntentId) => paid(held, paymentIntentId)}
                onUnclear={(paymentIntentId, waiting) => settle(held, paymentIntentId, waiting)}
                onFailed={() => dispatch({ type: 'CardDeclined' })}
                bar={(button) => bar(guard(button))}
              />
            )}
          </AskBeforePaying>
        )}
        {step === 'over' && (
          <Over ending={purchase.ending} onStartOver={() => dispatch({ type: 'StartOverPressed' })} />
        )}
      </section>
    </div>
  );
}

/** Shown when the hold is over: how the hold ended, and how to continue. */
function Over({ ending, onStartOver }: { ending: Ending | null; onStartOver: () => void }) {
  const t = useTexts(texts);
  return ending === 'unpaid' ? (
    <EmptyState title={t('backOnSale')} action={<Button onClick={onStartOver}>{t('tryAgain')}</Button>}>
      {t('backOnSaleWhy')}
    </EmptyState>
  ) : (
    <EmptyState
      title={t('orderGone')}
      action={
        <>
          <ButtonLink to="/my-tickets">{t('myTickets')}</ButtonLink>
          <Button variant="secondary" onClick={onStartOver}>
            {t('newOrder')}
          </Button>
        </>
      }
    >
      {t('orderGoneWhy')}
    </EmptyState>
  );
}

/** Moves the focus to the heading of the next step, for keyboard and screen reader users. */
function useFocusOnChange(step: Step) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current !== step) {
      window.scrollTo({ top: 0, behavior: 'instant' });
      heading.current?.focus({ preventScroll: true });
    }
    shown.current = step;
  }, [step]);
  return heading;
}
