import type { Hold, OrderStatus, TicketPurchaseResult } from '@beltway/contracts/ticketing/tickets';
import { describe, expect, test } from 'vitest';
import { HttpError } from '../../lib/http/http.ts';
import { intentFixture, ORDER_ID } from '../../testing/orders.ts';
import { AlreadyPaid } from './api.ts';
import { refusalText } from './refusals.ts';
import {
  intentOf,
  isAllHeld,
  isWanted,
  newPurchase,
  onEvent,
  stepOf,
  type Effect,
  type Purchase,
  type PurchaseEvent,
} from './purchase.ts';

const NOW = Date.parse('2030-07-01T12:00:00.000Z');
const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();
const OTHER_ID = '7f1f9d0e-52c7-4a5b-9a53-0d6f0a7c1b11';
const ann = { name: 'Ann Buyer', email: 'ann@example.com', quantity: 2 };
const intent = intentFixture({ holdUntil: at(10) });
const { clientSecret: _secret, paymentIntentId: _id, ...hold } = intent;
const other: Hold = { ...hold, orderId: OTHER_ID, quantity: 3 };
const seen = { known: null, stockVersion: 5 };

const fault = (status: number, code: string, more: { errors?: { field: string; message: string }[] } = {}) =>
  new HttpError(status, code, { type: 'about:blank', title: code, status, code, ...more }, null);
const lost = new TypeError('Failed to fetch');

const asked = (number: number, quantity = 2, tries = 0) => ({ number, quantity, tries });
const sale: PurchaseEvent = { type: 'SaleOpened' };
const left: PurchaseEvent = { type: 'PageLeft' };
const pressedOn: PurchaseEvent = { type: 'PaymentRequested' };
const prepared = (made = intent): PurchaseEvent => ({ type: 'PaymentPrepared', intent: made, details: ann });
const notPrepared = (error: unknown, known: Hold | null = null): PurchaseEvent => ({
  ...{ type: 'PaymentNotPrepared', error, ...seen, known },
});
const held = (made: Hold | null = hold, request = asked(1)): PurchaseEvent => ({
  ...{ type: 'HoldAnswered', request, hold: made },
});
const failed = (error: unknown, request = asked(1)): PurchaseEvent => ({
  ...{ type: 'HoldFailed', request, error, ...seen },
});
const retryDue = (request = asked(1, 2, 1)): PurchaseEvent => ({ type: 'HoldRetryDue', request });
const typed = (quantity: number): PurchaseEvent => ({ type: 'DetailsChanged', details: { ...ann, quantity } });
const settledQuantity: PurchaseEvent = { type: 'QuantitySettled' };
const elsewhere = (now: Hold | null): PurchaseEvent => ({ type: 'HoldChangedElsewhere', hold: now });
const ranOut: PurchaseEvent = { type: 'ClockRanOut' };
const paying = (isPaying = true): PurchaseEvent => ({ type: 'PayingChanged', isPaying });
const check = (tries = 0, of: Hold = hold) => ({ hold: of, tries });
const order = (status: OrderStatus, holdUntil: string | null = null, extendable = false) => ({
  ...{ status, holdUntil, extendable },
});
const checked = (state: ReturnType<typeof order>, of = check()): PurchaseEvent => ({
  ...{ type: 'CheckAnswered', check: of, order: state, now: NOW },
});
const checkFailed = (error: unknown, of = check()): PurchaseEvent => ({ type: 'CheckFailed', check: of, error });
const checkDue = (of = check(1)): PurchaseEvent => ({ type: 'CheckDue', check: of });
const declined: PurchaseEvent = { type: 'CardDeclined' };
const declineCheck = (tries = 0, decline = 1) => ({ hold, tries, decline });
const declineDue = (of = declineCheck()): PurchaseEvent => ({ type: 'DeclineCheckDue', check: of });
const heard = (state: ReturnType<typeof order> | null, of = declineCheck()): PurchaseEvent => ({
  ...{ type: 'DeclineCheckAnswered', check: of, order: state, now: NOW },
});
const result = (status: OrderStatus): TicketPurchaseResult => ({
  ...{ orderId: ORDER_ID, status, eventId: 7, eventTitle: 'Go-Go on the Roof', quantity: 2 },
});
const charged = (answer: TicketPurchaseResult | null): PurchaseEvent => ({
  ...{ type: 'CardCharged', hold, result: answer },
});
const settled = (status: OrderStatus): PurchaseEvent => ({ type: 'PaymentSettled', hold, result: result(status) });

const refreshes: Effect = { type: 'RefreshEvent' };
const forgets: Effect = { type: 'ForgetOrder' };
const showsOrder: Effect = { type: 'ShowOrder', hold };
const boughtEffects: Effect[] = [{ type: 'RefreshTickets' }, refreshes, showsOrder];
const waits = (ms: number, then: PurchaseEvent): Effect => ({ type: 'Wait', ms, then });
const asks = (of = check()): Effect => ({ type: 'CheckOrder', check: of });
const holds = (request = asked(1)): Effect => ({ type: 'HoldTickets', request });

/** A deeply frozen value; code that mutates it throws. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
const purchaseAfter = (past: PurchaseEvent[], from: Purchase = newPurchase(ann, null)): Purchase =>
  past.reduce((purchase, event) => frozen(onEvent(frozen(purchase), frozen(event)).purchase), from);
/** `given(events…).when(event)`, then `.does(effects…)` and `.shows(state)`. */
const given = (...past: PurchaseEvent[]) => ({
  when(event: PurchaseEvent) {
    const before = purchaseAfter(past);
    const { purchase, effects } = onEvent(before, frozen(event));
    const outcome = {
      does: (...expected: Effect[]) => (expect(effects).toEqual(expected), outcome),
      shows: (expected: Partial<Purchase>) => (expect(purchase).toMatchObject(expected), outcome),
      changesNothing: () => expect({ purchase, effects }).toEqual({ purchase: before, effects: [] }),
    };
    return outcome;
  },
});

describe('a hold', () => {
  test('is requested when the sale opens, unless this browser has a hold', () => {
    given().when(sale).does(holds()).shows({ awaited: 1 });
    given(sale, held()).when(sale).changesNothing();
  });
  test('is shown when it is granted', () => given(sale).when(held()).shows({ held: hold, awaited: null }).does());
  test('is requested again up to three times, with growing pauses, if the answer is lost', () => {
    for (const [tries, ms] of [500, 1_000, 2_000].entries())
      given(sale)
        .when(failed(lost, asked(1, 2, tries)))
        .does(waits(ms, retryDue(asked(1, 2, tries + 1))))
        .shows({ awaited: 1, failure: null });
    given(sale)
      .when(retryDue())
      .does(holds(asked(1, 2, 1)));
    given(sale)
      .when(failed(lost, asked(1, 2, 3)))
      .does(refreshes)
      .shows({ awaited: null, failure: { error: lost, stockVersion: 5 } });
  });
  test('is requested again after the pause that the server names, while ticketing does not know the event', () => {
    const unavailable = new HttpError(503, 'unavailable', null, 7);
    given(sale).when(failed(unavailable)).does(waits(7_000, retryDue()));
  });
  test('is requested again every second, up to twenty times, if it is refused as not-on-sale-yet', () => {
    const early = fault(409, 'not-on-sale-yet');
    given(sale).when(failed(early)).does(waits(1_000, retryDue()));
    given(sale)
      .when(failed(early, asked(1, 2, 20)))
      .does(refreshes);
  });
  test('is requested again only by Try again if the buyer’s network holds too many tickets', () => {
    const detail = 'Too many tickets are held from your network. Please try again in 10 minutes.';
    const full = new HttpError(429, 'full', { ...fault(429, 'too-many-held-here').problem!, detail }, 600);
    expect(refusalText(full)).toBe(detail);
    given(sale)
      .when(failed(full))
      .does(refreshes)
      .shows({ failure: { error: full, stockVersion: 5 } });
    given(sale, failed(full))
      .when({ type: 'TryAgainPressed' })
      .does(holds(asked(2)))
      .shows({ failure: null });
  });
  test('is not requested again after a request for another quantity or a payment, or after leaving', () => {
    const waiting = [sale, failed(lost)];
    given(...waiting, { type: 'TryAgainPressed' })
      .when(retryDue())
      .changesNothing();
    given(...waiting, pressedOn)
      .when(retryDue())
      .does();
    given(...waiting, left)
      .when(retryDue())
      .does();
    given(...waiting, pressedOn)
      .when(failed(lost))
      .does()
      .shows({ failure: null });
    given(...waiting, left)
      .when(failed(lost))
      .does()
      .shows({ failure: null });
  });
  test('is requested only if the buyer still wants it when its turn comes', () => {
    expect(isWanted(purchaseAfter([sale]), asked(1))).toBe(true);
    expect(isWanted(purchaseAfter([sale, { type: 'TryAgainPressed' }]), asked(1))).toBe(false);
    expect(isWanted(purchaseAfter([sale, left]), asked(1))).toBe(false);
    given(sale).when(held(null)).does().shows({ held: null, awaited: null });
  });
  test('is exchanged when the quantity has changed, and kept otherwise', () => {
    given(sale, held(), typed(3))
      .when(settledQuantity)
      .does(holds(asked(2, 3)));
    given(sale, held()).when(settledQuantity).changesNothing();
    given(sale, typed(3)).when(settledQuantity).changesNothing();
  });
  test('keeps its quantity when an exchange is refused', () => {
    const refusal = fault(409, 'not-enough-left');
    given(sale, held(), typed(3), settledQuantity)
      .when(failed(refusal, asked(2, 3)))
      .does(refreshes)
      .shows({ held: hold, details: ann, failure: { error: refusal, stockVersion: 5 } });
  });
  test('that is already paid leads to its tickets', () =>
    given(sale)
      .when({ ...failed(fault(409, 'already-paid')), known: hold } as PurchaseEvent)
      .does(showsOrder));
  test('is refused while all tickets are held, until the stock changes', () => {
    const purchase = purchaseAfter([sale, failed(fault(409, 'all-held'))]);
    expect([isAllHeld(purchase, 5), isAllHeld(purchase, 6)]).toEqual([true, false]);
    expect(isAllHeld(purchaseAfter([sale, failed(fault(409, 'sold-out'))]), 5)).toBe(false);
  });
  test('shows its refusal until the buyer changes something', () =>
    given(sale, failed(fault(409, 'sold-out')))
      .when(typed(1))
      .shows({ failure: null, details: { ...ann, quantity: 1 } })
      .does({ type: 'RememberBuyer', details: { ...ann, quantity: 1 } }));
  test('that another tab exchanged is shown at the details step, with its quantity', () => {
    given(sale, held(), prepared())
      .when(elsewhere(other))
      .does()
      .shows({ held: other, step: 'details', details: { ...ann, quantity: 3 } });
    given(sale, held()).when(elsewhere(hold)).changesNothing();
  });
  test('that another tab has removed is checked; if it was paid, its tickets are shown', () => {
    given(sale, held()).when(elsewhere(null)).does(asks());
    given(sale, held(), elsewhere(null))
      .when(checked(order('fulfilled')))
      .does(showsOrder);
    given().when(elsewhere(null)).changesNothing();
  });
  test('is extended by one request at a time; an answer about an exchanged hold changes nothing', () => {
    given(sale, held())
      .when({ type: 'ExtensionPressed' })
      .does({ type: 'ExtendHold', hold })
      .shows({ isExtending: true });
    given(sale, held(), { type: 'ExtensionPressed' }).when({ type: 'ExtensionPressed' }).changesNothing();
    const longer = { ...hold, holdUntil: at(20), extendable: false };
    given(sale, held(), { type: 'ExtensionPressed' })
      .when({ type: 'HoldExtended', hold: longer })
      .shows({ held: longer, isExtending: false });
    given(sale, held(), { type: 'ExtensionPressed' }, held(other))
      .when({ type: 'HoldExtended', hold: longer })
      .shows({ held: other, isExtending: false });
  });
  test('reports that it was not extended, unless the page was left', () => {
    const refusal = fault(409, 'hold-gone');
    given(sale, held(), { type: 'ExtensionPressed' })
      .when({ type: 'HoldNotExtended', error: refusal })
      .does({ type: 'ToastNotExtended', error: refusal })
      .shows({ isExtending: false });
    given(sale, held(), { type: 'ExtensionPressed' }, left).when({ type: 'HoldNotExtended', error: refusal }).does();
  });
});

describe('a payment', () => {
  test('is prepared with the typed details, only once for two presses', () => {
    given(sale, held()).when(pressedOn).does({ type: 'PreparePayment', details: ann }).shows({ isPreparing: true });
    given(sale, held(), pressedOn).when(pressedOn).changesNothing();
  });
  test('that is prepared leads to the payment step, with the quantity of its hold', () => {
    const purchase = purchaseAfter([sale, typed(3), pressedOn, prepared()]);
    expect(purchase).toMatchObject({ held: intent, isPreparing: false, details: { quantity: 2 } });
    expect([stepOf(purchase), intentOf(purchase)]).toEqual(['payment', intent]);
  });
  test.each([{ email: 'ann.buyer@example.com' }, { name: 'Ann B. Buyer' }])(
    'with details that the buyer changed meanwhile is not shown, so that the changed ones are sent: %o',
    (change) => {
      const changed: PurchaseEvent = { type: 'DetailsChanged', details: { ...ann, ...change } };
      given(sale, held(), pressedOn, changed).when(prepared()).shows({ step: 'details', isPreparing: false });
      given(sale, held(), pressedOn, changed, prepared())
        .when(pressedOn)
        .does({ type: 'PreparePayment', details: { ...ann, ...change } });
    },
  );
  test.each([
    ['before the hold is answered', [sale, pressedOn, prepared(), held(hold)]],
    ['after an exchange was', [sale, held(other), pressedOn, held(null, asked(1)), prepared()]],
  ])('is shown regardless of the order of the answers: %s', (_when, past) =>
    expect(stepOf(purchaseAfter(past))).toBe('payment'),
  );
  test('is ignored if its hold was exchanged', () => {
    const purchase = purchaseAfter([sale, prepared(), held(other, asked(2, 3))]);
    expect([stepOf(purchase), intentOf(purchase)]).toEqual(['details', null]);
  });
  test('is resumed at the payment step; a hold without a payment is resumed at the details step', () => {
    expect(stepOf(newPurchase(ann, { hold, intent }))).toBe('payment');
    expect(stepOf(newPurchase(ann, { hold, intent: null }))).toBe('details');
  });
  test('that cannot be prepared shows a setup error; hold and details are kept', () =>
    given(sale, held(), pressedOn)
      .when(notPrepared(lost, hold))
      .does({ type: 'ToastSetupError' }, refreshes)
      .shows({ held: hold, details: ann, isPreparing: false, failure: { error: lost, stockVersion: 5 } }));
  test('that is refused by the sale or has invalid fields shows the reason only in the form', () => {
    given(sale, held(), pressedOn)
      .when(notPrepared(fault(409, 'sales-ended'), hold))
      .does(refreshes);
    const errors = [{ field: 'ticketHolderEmail', message: 'Please enter a valid email address' }];
    given(sale, held(), pressedOn)
      .when(notPrepared(fault(400, 'invalid', { errors }), hold))
      .does(refreshes);
    given(sale, held(), pressedOn)
      .when(notPrepared(fault(409, 'hold-gone')))
      .shows({ held: null });
  });
  test('for an order that is already paid leads to its tickets', () => {
    for (const error of [new AlreadyPaid(), fault(409, 'already-paid')])
      given(sale, held(), pressedOn).when(notPrepared(error, hold)).does(showsOrder);
  });
  test('that fails after the buyer has left the page neither navigates nor shows a toast', () => {
    for (const error of [fault(503, 'payments-unavailable'), fault(409, 'already-paid')])
      given(sale, held(), pressedOn, left).when(notPrepared(error, hold)).does().shows({ isPreparing: false });
  });
  test('goes back to the details when the buyer changes them', () =>
    given(sale, prepared()).when({ type: 'ChangeDetailsPressed' }).shows({ step: 'details' }));
  test('that is charged leads to the tickets, with a toast once the tickets are created', () => {
    const toast: Effect = { type: 'ToastPurchased', result: result('fulfilled'), leads: true };
    given(sale, prepared())
      .when(charged(result('fulfilled')))
      .does(toast, ...boughtEffects);
    given(sale, prepared())
      .when(charged(result('processing')))
      .does(...boughtEffects);
  });
  test('that is charged leads to the tickets when the server does not answer', () =>
    given(sale, prepared())
      .when(charged(null))
      .does(...boughtEffects));
  test('that is charged after the buyer has left the page shows a toast and does not navigate', () =>
    given(sale, prepared(), left)
      .when(charged(result('fulfilled')))
      .does(
        { type: 'ToastPurchased', result: result('fulfilled'), leads: false },
        { type: 'RefreshTickets' },
        refreshes,
      ));
  test('whose outcome the provider does not report follows the server', () => {
    given(sale, prepared())
      .when(settled('fulfilled'))
      .does({ type: 'ToastPurchased', result: result('fulfilled'), leads: true }, ...boughtEffects);
    given(sale, prepared()).when(settled('held')).changesNothing();
    given(sale, prepared()).when(settled('expired')).does(forgets).shows({ step: 'over', ending: 'unpaid' });
    given(sale, prepared(), left).when(settled('fulfilled')).changesNothing();
  });
});

describe('a hold that has lapsed according to this device’s clock', () => {
  const lapsed = [sale, held(), ranOut];

  test('is checked only once, and not while the card is being charged', () => {
    given(sale, held()).when(ranOut).does(asks()).shows({ checking: ORDER_ID });
    given(...lapsed)
      .when(ranOut)
      .changesNothing();
    given(sale, held(), paying()).when(ranOut).changesNothing();
    given().when(ranOut).changesNothing();
  });
  test('is kept while the server keeps it, and is checked again with growing pauses', () => {
    given(...lapsed)
      .when(checked(order('held', at(-5))))
      .does(waits(1_000, checkDue(check(1))))
      .shows({ held: hold, doubt: 'asking' });
    given(...lapsed)
      .when(checked(order('held', at(-5)), check(7)))
      .does(waits(15_000, checkDue(check(8))));
    given(...lapsed)
      .when(checkDue())
      .does(asks(check(1)));
  });
  test.each([
    ['cannot be reached', lost],
    ['is overloaded', fault(503, 'unavailable')],
  ])(
    'is kept while the server %s',
    (_why, error) =>
      void given(...lapsed)
        .when(checkFailed(error))
        .does(waits(1_000, checkDue(check(1))))
        .shows({ held: hold, doubt: 'no-answer' }),
  );
  test('continues when the server has extended it', () =>
    given(...lapsed, checkFailed(lost))
      .when(checked(order('held', at(8), false), check(1)))
      .does()
      .shows({ held: { ...hold, holdUntil: at(8), extendable: false }, doubt: null, checking: null }));
  test.each(['expired', 'released'] as const)(
    'is over and unpaid when the server reports it: %s',
    (status) =>
      void given(...lapsed)
        .when(checked(order(status)))
        .does(forgets)
        .shows({ step: 'over', ending: 'unpaid', doubt: null, checking: null }),
  );
  test.each(['fulfilled', 'refunding', 'processing'] as const)(
    'leads to its order if it was paid in the meantime, or too late: %s',
    (status) =>
      void given(...lapsed)
        .when(checked(order(status)))
        .does(showsOrder)
        .shows({ doubt: null }),
  );
  test('is over if the server does not know it; a charge is not mentioned', () =>
    given(...lapsed)
      .when(checkFailed(fault(404, 'not-found')))
      .does(forgets)
      .shows({ step: 'over', ending: 'unknown' }));
  test.each<[string, PurchaseEvent]>([
    ['a payment has begun', paying()],
    ['the page was left', left],
    ['the hold was exchanged', held(other, asked(2, 3))],
  ])('is no longer checked when %s', (_when, event) => {
    for (const late of [checked(order('expired')), checked(order('held', at(-5))), checkFailed(lost), checkDue()])
      given(...lapsed, event)
        .when(late)
        .does()
        .shows({ step: 'details', doubt: null, checking: null });
  });
  test('ignores the answer to an earlier check', () => {
    given(sale, held())
      .when(checked(order('expired')))
      .changesNothing();
    const again = [...lapsed, held(other, asked(2, 3)), ranOut];
    given(...again)
      .when(checked(order('expired')))
      .changesNothing();
    given(...again)
      .when(checkFailed(lost))
      .changesNothing();
  });
  test('is followed by a new start with the typed details', () =>
    given(...lapsed, checked(order('expired')))
      .when({ type: 'StartOverPressed' })
      .does(forgets, refreshes, holds(asked(2)))
      .shows({ step: 'details', ending: null, held: null, prepared: null, details: ann }));
});

describe('a declined card', () => {
  const refused = [sale, prepared(), declined];

  test('makes the page check three times whether the hold was extended', () => {
    given(sale, prepared())
      .when(declined)
      .does(waits(500, declineDue({ ...declineCheck(), hold: intent })));
    given(...refused)
      .when(declineDue())
      .does({ type: 'CheckDecline', check: declineCheck() });
    for (const state of [order('held', hold.holdUntil), null]) {
      given(...refused)
        .when(heard(state))
        .does(waits(2_000, declineDue(declineCheck(1))));
      given(...refused)
        .when(heard(state, declineCheck(1)))
        .does(waits(4_000, declineDue(declineCheck(2))));
      given(...refused)
        .when(heard(state, declineCheck(2)))
        .does();
    }
  });
  test('extends the hold', () =>
    given(...refused)
      .when(heard(order('held', at(17))))
      .does()
      .shows({ held: { ...intent, holdUntil: at(17), extendable: false } }));
  test('does not extend a hold that was exchanged in the meantime', () =>
    given(...refused, held(other))
      .when(heard(order('held', at(17))))
      .shows({ held: other }));
  test('leads to the tickets when the order was paid after all', () =>
    given(...refused)
      .when(heard(order('fulfilled')))
      .does(...boughtEffects));
  test('makes the page check whether a hold that lapsed during these checks is over', () => {
    const short = { ...intent, holdUntil: at(-1) };
    given(sale, prepared(short), declined)
      .when(heard(null, { ...declineCheck(2), hold: short }))
      .does(asks(check(0, short)));
  });
  test.each<[string, PurchaseEvent]>([
    ['the next try has begun', paying()],
    ['the page was left', left],
    ['another card was declined', declined],
  ])('is no longer checked when %s', (_when, event) => {
    for (const late of [declineDue(), heard(order('fulfilled')), heard(order('held', at(17)))])
      given(...refused, event)
        .when(late)
        .changesNothing();
  });
});
