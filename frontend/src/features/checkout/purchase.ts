import type { Hold, Order, TicketPaymentIntent, TicketPurchaseResult } from '@beltway/contracts/ticketing/tickets';
import { askAgainAfter } from '../../lib/card-form/settling.ts';
import { HttpError, isPassing, passesSoon } from '../../lib/http/http.ts';
import { isUnpaid } from '../../lib/orders/orders.ts';
import type { Details } from './api.ts';
import { codeOf, errorsOfBuyer, isAlreadyPaid, isRefusal } from './refusals.ts';
import type { Ending } from './resume.ts';

/** `over`: the hold has lapsed. */
export type Step = 'details' | 'payment' | 'over';

/**
 * `asking`: the hold has lapsed according to this device's clock, and the page is asking the server. `no-answer`: the
 * server is unreachable.
 */
export type Doubt = 'asking' | 'no-answer';

/**
 * A request for tickets. Only the request with the highest number counts; late answers to earlier requests are ignored.
 */
export interface HoldRequest {
  number: number;
  quantity: number;
  tries: number;
}

/** The state of one purchase on this page. */
export interface Purchase {
  details: Details;
  held: Hold | null;
  /** The payment prepared last. It belongs to one order and is used only while that order is the current hold. */
  prepared: TicketPaymentIntent | null;
  step: Step;
  ending: Ending | null;
  /** Why the last hold or payment failed, and the stock version on screen at that time. */
  failure: { error: unknown; stockVersion: number } | null;
  lastRequest: number;
  /** The number of the request for tickets that has no answer yet. */
  awaited: number | null;
  isPreparing: boolean;
  isExtending: boolean;
  /** True while the card is being charged. */
  isPaying: boolean;
  /** True while the page is open. Once the buyer has left, the page neither navigates nor shows toasts. */
  isOpen: boolean;
  /** The order whose lapsed hold is being checked with the server. */
  checking: string | null;
  doubt: Doubt | null;
  /** The number of declined cards so far. Only the last decline is checked with the server. */
  declines: number;
}

type OrderState = Pick<Order, 'status' | 'holdUntil' | 'extendable'>;
/** A check with the server whether a hold is over. `tries` is the number of earlier checks. */
interface Check {
  hold: Hold;
  tries: number;
}
/** A check whether the server extended the hold after a declined card. */
interface DeclineCheck extends Check {
  decline: number;
}
/** What the page knew when a request failed: the order that this browser remembers, and the stock version on screen. */
interface Seen {
  known: Hold | null;
  stockVersion: number;
}

export type PurchaseEvent =
  | { type: 'PageOpened' }
  | { type: 'PageLeft' }
  | { type: 'SaleOpened' }
  | { type: 'DetailsChanged'; details: Details }
  /** The quantity has been stable for a moment. */
  | { type: 'QuantitySettled' }
  | { type: 'HoldAnswered'; request: HoldRequest; hold: Hold | null }
  | ({ type: 'HoldFailed'; request: HoldRequest; error: unknown } & Seen)
  | { type: 'HoldRetryDue'; request: HoldRequest }
  | { type: 'HoldChangedElsewhere'; hold: Hold | null }
  | { type: 'TryAgainPressed' }
  | { type: 'PaymentRequested' }
  /** `details`: those that were sent. The buyer may have changed them since. */
  | { type: 'PaymentPrepared'; intent: TicketPaymentIntent; details: Details }
  | ({ type: 'PaymentNotPrepared'; error: unknown } & Seen)
  | { type: 'ChangeDetailsPressed' }
  | { type: 'ExtensionPressed' }
  | { type: 'HoldExtended'; hold: Hold }
  | { type: 'HoldNotExtended'; error: unknown }
  | { type: 'ClockRanOut' }
  | { type: 'CheckDue'; check: Check }
  | { type: 'CheckAnswered'; check: Check; order: OrderState; now: number }
  | { type: 'CheckFailed'; check: Check; error: unknown }
  | { type: 'PayingChanged'; isPaying: boolean }
  /** The card was charged. `result` is null if the order's outcome is not known yet. */
  | { type: 'CardCharged'; hold: Hold; result: TicketPurchaseResult | null }
  /** The provider did not report whether the card was charged; the server's answer decides. */
  | { type: 'PaymentSettled'; hold: Hold; result: TicketPurchaseResult }
  | { type: 'CardDeclined' }
  | { type: 'DeclineCheckDue'; check: DeclineCheck }
  | { type: 'DeclineCheckAnswered'; check: DeclineCheck; order: OrderState | null; now: number }
  | { type: 'StartOverPressed' };

export type Effect =
  | { type: 'HoldTickets'; request: HoldRequest }
  | { type: 'PreparePayment'; details: Details }
  | { type: 'ExtendHold'; hold: Hold }
  | { type: 'CheckOrder'; check: Check }
  | { type: 'CheckDecline'; check: DeclineCheck }
  | { type: 'Wait'; ms: number; then: PurchaseEvent }
  | { type: 'RememberBuyer'; details: Details }
  /** Removes the order from this browser. */
  | { type: 'ForgetOrder' }
  /** Refetches the event, because the one on screen is outdated. */
  | { type: 'RefreshEvent' }
  | { type: 'RefreshTickets' }
  | { type: 'ShowOrder'; hold: Hold }
  | { type: 'ToastSetupError' }
  | { type: 'ToastNotExtended'; error: unknown }
  /** `leads`: true if the page navigates to the tickets. */
  | { type: 'ToastPurchased'; result: TicketPurchaseResult; leads: boolean };

interface Outcome {
  purchase: Purchase;
  effects: readonly Effect[];
}

/**
 * How often to retry, once per second, a hold that was rejected because the sale has not opened. The device's clock may
 * be ahead of the server's.
 */
const EARLY_TRIES = 20;
const PASSING_TRIES = 3;
/**
 * Milliseconds to wait after a decline before each check with the server. The provider notifies the server of the
 * decline, and the server then extends the hold by ten minutes.
 */
const LISTEN_AFTER = [500, 2_000, 4_000];

interface Resumed {
  hold: Hold;
  intent: TicketPaymentIntent | null;
}

/** A new purchase, or one that continues with its earlier hold and payment. */
export const newPurchase = (details: Details, resumed: Resumed | null): Purchase => ({
  details,
  held: resumed?.hold ?? null,
  prepared: resumed?.intent ?? null,
  step: resumed?.intent ? 'payment' : 'details',
  ...{ ending: null, failure: null, lastRequest: 0, awaited: null, checking: null, doubt: null, declines: 0 },
  ...{ isPreparing: false, isExtending: false, isPaying: false, isOpen: true },
});

/**
 * The payment for the current hold. Answers may arrive out of sequence, so a payment for an exchanged hold is ignored.
 */
export const intentOf = ({ prepared, held }: Purchase): TicketPaymentIntent | null =>
  prepared?.orderId === held?.orderId ? prepared : null;

export const stepOf = (purchase: Purchase): Step =>
  purchase.step === 'payment' && !intentOf(purchase) ? 'details' : purchase.step;

export const isWanted = ({ isOpen, lastRequest }: Purchase, { number }: HoldRequest): boolean =>
  isOpen && number === lastRequest;

/**
 * True while other buyers hold all remaining tickets; once the stock version is newer, some tickets may be available.
 */
export const isAllHeld = ({ failure }: Purchase, stockVersion: number): boolean =>
  codeOf(failure?.error) === 'all-held' && failure?.stockVersion === stockVersion;

const to = (purchase: Purchase, ...effects: Effect[]): Outcome => ({ purchase, effects });

/** Holds tickets before the buyer types anything, because a sale can sell out within seconds. */
function requestHold(purchase: Purchase, ...before: Effect[]): Outcome {
  const request = { number: purchase.lastRequest + 1, quantity: purchase.details.quantity, tries: 0 };
  return to({ ...purchase, failure: null, lastRequest: request.number, awaited: request.number }, ...before, {
    type: 'HoldTickets',
    request,
  });
}

const answered = (purchase: Purchase, { number }: HoldRequest): Purchase =>
  purchase.awaited === number ? { ...purchase, awaited: null } : purchase;

const withQuantity = (purchase: Purchase, hold: Hold): Purchase => ({
  ...purchase,
  details: { ...purchase.details, quantity: hold.quantity },
});

/** Milliseconds until a failed request is retried; null if it is not retried. */
function pauseBefore({ tries }: HoldRequest, error: unknown): number | null {
  if (codeOf(error) === 'not-on-sale-yet') return tries < EARLY_TRIES ? 1_000 : null;
  if (!passesSoon(error) || tries >= PASSING_TRIES) return null;
  return ((error instanceof HttpError && error.retryAfter) || 2 ** tries / 2) * 1_000;
}

/** Updates the times of the hold; an answer about another order is ignored. */
const withTimes = (purchase: Purchase, { orderId }: Hold, times: Pick<Hold, 'holdUntil' | 'extendable'>): Purchase =>
  purchase.held?.orderId === orderId ? { ...purchase, held: { ...purchase.held, ...times } } : purchase;

const checked = (purchase: Purchase): Purchase => ({ ...purchase, checking: null, doubt: null });

const over = (purchase: Purchase, ending: Ending): Outcome =>
  to({ ...checked(purchase), step: 'over', ending }, { type: 'ForgetOrder' });

/** Starts to poll the server whether the hold is over. Does nothing during a payment. */
function checkHold(purchase: Purchase): Outcome {
  const { held, isPaying, checking } = purchase;
  if (!held || isPaying || checking === held.orderId) return to(purchase);
  return to({ ...purchase, checking: held.orderId }, { type: 'CheckOrder', check: { hold: held, tries: 0 } });
}

/** The outcome of an outdated check; undefined if the check is still needed. */
function endOfCheck(purchase: Purchase, { hold }: Check): Outcome | undefined {
  if (purchase.checking !== hold.orderId) return to(purchase);
  const isOfUse = purchase.isOpen && !purchase.isPaying && purchase.held?.orderId === hold.orderId;
  return isOfUse ? undefined : to(checked(purchase));
}

const checkAgain = (purchase: Purchase, doubt: Doubt, { hold, tries }: Check): Outcome =>
  to(
    { ...purchase, doubt },
    { type: 'Wait', ms: askAgainAfter(tries), then: { type: 'CheckDue', check: { hold, tries: tries + 1 } } },
  );

/**
 * The outcome of a purchase. Once the buyer has left, the page does not navigate. The order is still remembered, so
 * opening the checkout again leads to the order's tickets.
 */
function bought(purchase: Purchase, hold: Hold, result: TicketPurchaseResult | null): Outcome {
  const effects: Effect[] = [{ type: 'RefreshTickets' }, { type: 'RefreshEvent' }];
  if (result?.status === 'fulfilled') effects.unshift({ type: 'ToastPurchased', result, leads: purchase.isOpen });
  if (purchase.isOpen) effects.push({ type: 'ShowOrder', hold });
  return to(purchase, ...effects);
}

/** True if a declined card must still be checked: no new attempt has begun, and the page is open. */
const isLastDecline = ({ isPaying, isOpen, declines }: Purchase, { decline }: DeclineCheck): boolean =>
  isOpen && !isPaying && decline === declines;

function afterDeclineCheck(purchase: Purchase, check: DeclineCheck, order: OrderState | null, now: number): Outcome {
  const { hold, tries } = check;
  if (order && order.status !== 'held' && !isUnpaid(order.status)) return bought(purchase, hold, null);
  const { holdUntil, extendable = false } = order ?? {};
  if (order?.status === 'held' && holdUntil && holdUntil !== hold.holdUntil)
    return to(withTimes(purchase, hold, { holdUntil, extendable }));
  const ms = LISTEN_AFTER[tries + 1];
  if (ms !== undefined)
    return to(purchase, {
      type: 'Wait',
      ms,
      then: { type: 'DeclineCheckDue', check: { ...check, tries: tries + 1 } },
    });
  return Date.parse(hold.holdUntil) <= now ? checkHold(purchase) : to(purchase);
}

/**
 * Handles a failed request. If the order is already paid, shows the order. Otherwise shows the error and refreshes the
 * event.
 */
function refused(purchase: Purchase, error: unknown, { known, stockVersion }: Seen, ...more: Effect[]): Outcome {
  if (isAlreadyPaid(error) && known) return to(purchase, { type: 'ShowOrder', hold: known });
  return to({ ...purchase, failure: { error, stockVersion } }, ...more, { type: 'RefreshEvent' });
}

/** The next state after an event, and the effects to run. */
export function onEvent(purchase: Purchase, event: PurchaseEvent): Outcome {
  switch (event.type) {
    case 'PageOpened':
      return to({ ...purchase, isOpen: true });
    case 'PageLeft':
      return to({ ...purchase, isOpen: false });
    case 'SaleOpened':
      return purchase.held ? to(purchase) : requestHold(purchase);
    case 'DetailsChanged':
      return to(
        { ...purchase, details: event.details, failure: null },
        { type: 'RememberBuyer', details: event.details },
      );
    case 'QuantitySettled': {
      const { held, details } = purchase;
      return held && held.quantity !== details.quantity ? requestHold(purchase) : to(purchase);
    }
    case 'HoldAnswered': {
      const next = answered(purchase, event.request);
      return to(event.hold ? { ...next, held: event.hold } : next);
    }
    case 'HoldFailed': {
      const { request, error } = event;
      if (!isWanted(purchase, request)) return to(answered(purchase, request));
      const ms = pauseBefore(request, error);
      if (ms !== null) {
        const again = { ...request, tries: request.tries + 1 };
        return to(purchase, { type: 'Wait', ms, then: { type: 'HoldRetryDue', request: again } });
      }
      const next = answered(purchase, request);
      // If an exchange was rejected, the current hold stays, so the page shows the current hold's quantity again.
      return refused(next.held ? withQuantity(next, next.held) : next, error, event);
    }
    case 'HoldRetryDue':
      return isWanted(purchase, event.request)
        ? to(purchase, { type: 'HoldTickets', request: event.request })
        : to(answered(purchase, event.request));
    case 'HoldChangedElsewhere':
      if (!event.hold) return checkHold(purchase);
      return event.hold.orderId === purchase.held?.orderId
        ? to(purchase)
        : to(withQuantity({ ...purchase, held: event.hold, step: 'details' }, event.hold));
    case 'TryAgainPressed':
      return requestHold(purchase);
    case 'PaymentRequested':
      if (purchase.isPreparing) return to(purchase);
      // Preparing the payment also holds the tickets, so it supersedes a pending hold request.
      return to(
        { ...purchase, isPreparing: true, failure: null, lastRequest: purchase.lastRequest + 1 },
        { type: 'PreparePayment', details: purchase.details },
      );
    case 'PaymentPrepared': {
      const { intent, details } = event;
      const { name, email } = purchase.details;
      // The server mails the tickets to the address that was sent, so a changed one must be sent first.
      const step = name === details.name && email === details.email ? 'payment' : 'details';
      const next = { ...purchase, isPreparing: false, held: intent, prepared: intent, step } as const;
      return to(withQuantity({ ...next, failure: null }, intent));
    }
    case 'PaymentNotPrepared': {
      const { error, known } = event;
      const next = { ...purchase, isPreparing: false };
      if (!purchase.isOpen) return to(next);
      const isShownInForm = isRefusal(error) || Object.keys(errorsOfBuyer(error)).length > 0;
      const holding = { ...next, held: known };
      return refused(
        known ? withQuantity(holding, known) : holding,
        error,
        event,
        ...(isShownInForm ? [] : [{ type: 'ToastSetupError' } as const]),
      );
    }
    case 'ChangeDetailsPressed':
      return to({ ...purchase, step: 'details' });
    case 'ExtensionPressed':
      if (!purchase.held || purchase.isExtending) return to(purchase);
      return to({ ...purchase, isExtending: true }, { type: 'ExtendHold', hold: purchase.held });
    case 'HoldExtended':
      return to(withTimes({ ...purchase, isExtending: false }, event.hold, timesOf(event.hold)));
    case 'HoldNotExtended':
      return to(
        { ...purchase, isExtending: false },
        ...(purchase.isOpen ? [{ type: 'ToastNotExtended', error: event.error } as const] : []),
      );
    case 'ClockRanOut':
      return checkHold(purchase);
    case 'CheckDue':
      return endOfCheck(purchase, event.check) ?? to(purchase, { type: 'CheckOrder', check: event.check });
    case 'CheckAnswered': {
      const { check, order, now } = event;
      const ended = endOfCheck(purchase, check);
      if (ended) return ended;
      if (isUnpaid(order.status)) return over(purchase, 'unpaid');
      if (order.status !== 'held') return to(checked(purchase), { type: 'ShowOrder', hold: check.hold });
      const { holdUntil, extendable } = order;
      if (holdUntil && Date.parse(holdUntil) > now)
        return to(withTimes(checked(purchase), check.hold, { holdUntil, extendable }));
      return checkAgain(purchase, 'asking', check);
    }
    case 'CheckFailed': {
      const { check, error } = event;
      const ended = endOfCheck(purchase, check);
      if (ended) return ended;
      if (error instanceof HttpError && !isPassing(error)) return over(purchase, 'unknown');
      return checkAgain(purchase, 'no-answer', check);
    }
    case 'PayingChanged':
      return to({ ...purchase, isPaying: event.isPaying });
    case 'CardCharged':
      return bought(purchase, event.hold, event.result);
    case 'PaymentSettled': {
      const { hold, result } = event;
      if (!purchase.isOpen || result.status === 'held') return to(purchase);
      return isUnpaid(result.status) ? over(purchase, 'unpaid') : bought(purchase, hold, result);
    }
    case 'CardDeclined': {
      if (!purchase.held) return to(purchase);
      const decline = purchase.declines + 1;
      const check = { hold: purchase.held, tries: 0, decline };
      return to(
        { ...purchase, declines: decline },
        { type: 'Wait', ms: LISTEN_AFTER[0]!, then: { type: 'DeclineCheckDue', check } },
      );
    }
    case 'DeclineCheckDue':
      return isLastDecline(purchase, event.check)
        ? to(purchase, { type: 'CheckDecline', check: event.check })
        : to(purchase);
    case 'DeclineCheckAnswered':
      return isLastDecline(purchase, event.check)
        ? afterDeclineCheck(purchase, event.check, event.order, event.now)
        : to(purchase);
    case 'StartOverPressed':
      return requestHold(
        { ...purchase, ending: null, prepared: null, held: null, step: 'details' },
        { type: 'ForgetOrder' },
        { type: 'RefreshEvent' },
      );
  }
}

const timesOf = ({ holdUntil, extendable }: Hold) => ({ holdUntil, extendable });
