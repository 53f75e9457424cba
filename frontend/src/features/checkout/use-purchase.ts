import type { Event } from '@beltway/contracts/catalog/events';
import type { Hold } from '@beltway/contracts/ticketing/tickets';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { toastFailure } from '../../lib/actions/use-action.ts';
import type { Verdict } from '../../lib/card-form/card-form.tsx';
import { askUntilKnown } from '../../lib/card-form/settling.ts';
import type { SaleState } from '../../lib/events/event-facts.ts';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { guestKey } from '../../lib/orders/guest-key.ts';
import { isUnpaid, orderPath, orderQuery } from '../../lib/orders/orders.ts';
import { useSession } from '../../lib/session/session.ts';
import { serverNow } from '../../lib/time/server-clock.ts';
import { toast } from '../../ui/toast.ts';
import { extendHold, holdIfCurrent, prepare, processPurchase } from './api.ts';
import { openCheckout } from './leave.ts';
import { orderMemory } from './order-memory.ts';
import { intentOf, isWanted, newPurchase, onEvent, stepOf, type Effect, type PurchaseEvent } from './purchase.ts';
import type { Beginning } from './resume.ts';
import { texts } from './texts.en.ts';

/** Milliseconds for which a changed quantity must be stable before it is sent. */
const SETTLES_MS = 400;

/** One purchase on this page: its state (purchase.ts), events and effects. */
export function usePurchase(event: Event, beginning: Beginning, state: SaleState) {
  const { user, token } = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [purchase, setPurchase] = useState(() => {
    const resumed = beginning.kind === 'held' ? beginning : null;
    const holder = orderMemory.holder();
    const details = {
      name: holder?.name ?? user?.name ?? '',
      email: holder?.email ?? user?.email ?? '',
      quantity: resumed?.hold.quantity ?? orderMemory.get(event.id)?.asked?.quantity ?? 1,
    };
    return newPurchase(details, resumed);
  });
  /** The state after the last event. Answers also arrive between renders, when `purchase` is outdated. */
  const latest = useRef(purchase);
  const stockVersion = useRef(event.stockVersion);
  useEffect(() => {
    stockVersion.current = event.stockVersion;
  }, [event.stockVersion]);

  const dispatch = (happened: PurchaseEvent): void => {
    const { purchase: next, effects } = onEvent(latest.current, happened);
    latest.current = next;
    setPurchase(next);
    effects.forEach(run);
  };
  const remembered = () => orderMemory.get(event.id)?.order ?? null;
  const seen = () => ({ known: remembered(), stockVersion: stockVersion.current });
  const ask = ({ orderId }: Hold) => queries.fetchQuery({ ...orderQuery(orderId), staleTime: 0 });

  function run(effect: Effect): void {
    const t = textsNow(texts);
    switch (effect.type) {
      case 'HoldTickets': {
        const { request } = effect;
        holdIfCurrent(event.id, request.quantity, () => isWanted(latest.current, request)).then(
          (hold) => dispatch({ type: 'HoldAnswered', request, hold }),
          (error: unknown) => dispatch({ type: 'HoldFailed', request, error, ...seen() }),
        );
        return;
      }
      case 'PreparePayment':
        prepare(event.id, effect.details).then(
          (intent) => dispatch({ type: 'PaymentPrepared', intent, details: effect.details }),
          (error: unknown) => dispatch({ type: 'PaymentNotPrepared', error, ...seen() }),
        );
        return;
      case 'ExtendHold':
        extendHold(effect.hold).then(
          (hold) => dispatch({ type: 'HoldExtended', hold }),
          (error: unknown) => dispatch({ type: 'HoldNotExtended', error }),
        );
        return;
      case 'CheckOrder': {
        const { check } = effect;
        ask(check.hold).then(
          (order) => dispatch({ type: 'CheckAnswered', check, order, now: serverNow() }),
          (error: unknown) => dispatch({ type: 'CheckFailed', check, error }),
        );
        return;
      }
      case 'CheckDecline': {
        const { check } = effect;
        void ask(check.hold)
          .catch(() => null)
          .then((order) => dispatch({ type: 'DeclineCheckAnswered', check, order, now: serverNow() }));
        return;
      }
      case 'Wait':
        setTimeout(() => dispatch(effect.then), effect.ms);
        return;
      case 'RememberBuyer':
        return orderMemory.setHolder(effect.details);
      case 'ForgetOrder':
        return orderMemory.clear(event.id);
      case 'RefreshEvent':
        return void queries.invalidateQueries({ queryKey: ['/api/events'] });
      case 'RefreshTickets':
        return void queries.invalidateQueries({ queryKey: ['/api/tickets/my-tickets'] });
      case 'ShowOrder': {
        const { orderId, quantity } = effect.hold;
        queries.removeQueries({ queryKey: ['/api/orders', orderId] });
        void navigate(orderPath({ eventId: event.id, quantity, orderId }), { replace: true });
        return orderMemory.clear(event.id);
      }
      case 'ToastSetupError':
        return toast({ title: t('setupError'), description: t('initializeAgain'), variant: 'destructive' });
      case 'ToastNotExtended':
        return toastFailure(t('notExtended'), effect.error);
      case 'ToastPurchased': {
        const { quantity, eventTitle: title } = effect.result;
        const description = t('purchasedWhat', { count: quantity, number: String(quantity), title });
        return toast({ title: t('purchased'), description, ...(effect.leads && { at: '/ticket-success' }) });
      }
    }
  }

  // The card was charged. If this call fails, the provider's webhook completes the sale, and the next page waits until
  // the sale is complete.
  const paid = async (hold: Hold, paymentIntentId: string) => {
    const result = await processPurchase(paymentIntentId).catch(() => null);
    dispatch({ type: 'CardCharged', hold, result });
  };
  const settle = (hold: Hold, paymentIntentId: string, waiting: () => void): Promise<Verdict> =>
    askUntilKnown(
      async () => {
        const result = await processPurchase(paymentIntentId);
        const { isOpen } = latest.current;
        dispatch({ type: 'PaymentSettled', hold, result });
        if (!isOpen) return 'unknown';
        return result.status === 'held' || isUnpaid(result.status) ? 'unpaid' : 'paid';
      },
      () => latest.current.isOpen,
      waiting,
    );

  const happens = useEffectEvent(dispatch);
  useEffect(() => {
    if (state === 'on-sale') happens({ type: 'SaleOpened' });
  }, [state]);
  useEffect(() => {
    // Requests the guest key before the sale opens, so that the hold does not have to wait for it.
    if (!token) void guestKey().catch(() => undefined);
  }, [token]);
  useEffect(() => {
    const timer = setTimeout(() => happens({ type: 'QuantitySettled' }), SETTLES_MS);
    return () => clearTimeout(timer);
  }, [purchase.details.quantity, purchase.held]);
  useEffect(() => {
    happens({ type: 'PageOpened' });
    const leave = openCheckout(event.id);
    return () => {
      happens({ type: 'PageLeft' });
      leave(latest.current.isPaying);
    };
  }, [event.id]);
  const changedElsewhere = useEffectEvent(() => dispatch({ type: 'HoldChangedElsewhere', hold: remembered() }));
  useEffect(() => orderMemory.follow(event.id, () => changedElsewhere()), [event.id]);

  return { purchase, intent: intentOf(purchase), step: stepOf(purchase), dispatch, paid, settle };
}
