import { expect, test } from 'vitest';
import fc from 'fast-check';
import { Rejected } from '@beltway/event-store';
import { scenarios } from '@beltway/event-store/testing';
import { linesOf } from '@beltway/contracts/testing/lines';
import { ticketCount } from '@beltway/contracts/ticketing/order-lines';
import { sale, saleWith, type Sale } from './decider.ts';
import { saleSnapshot } from './snapshot.ts';
import { totals } from './stock.ts';
import type { SaleCommand } from './command.ts';
import type { NotFulfilledReason, ReleaseReason, SaleEvent, Terms } from './events.ts';

const given = scenarios(sale);

const noon = '2026-06-01T16:00:00.000Z';
const minutes = (count: number) => new Date(Date.parse(noon) + count * 60_000).toISOString();
const terms: Terms = {
  ...{ capacity: 3, priceCents: 2500, organizerId: 7, opensAt: null, closesAt: null },
  ...{ endsAt: minutes(50_000), catalogVersion: 1, refundDeadlineHours: 24 },
};
/** The terms with these changes, in this version of the event. */
const at = (catalogVersion: number, change: Partial<Terms> = {}): Terms => ({ ...terms, ...change, catalogVersion });

const opened: SaleEvent = { type: 'SaleOpened', data: terms };
const held = (orderId: string, quantity: number, at = noon): SaleEvent => ({
  type: 'TicketsHeld',
  data: {
    ...{ orderId, lines: linesOf(quantity), at, buyerId: null, refundDeadlineHours: 24 },
    until: new Date(Date.parse(at) + 600_000).toISOString(),
  },
});
const gone = (orderId: string, quantity: number, reason = 'expired' as const): SaleEvent => ({
  type: 'HoldReleased',
  data: { orderId, lines: linesOf(quantity), reason },
});
const tickets = (orderId: string, quantity: number) =>
  Array.from({ length: quantity }, (_, n) => ({ id: `${orderId}-${n}`, code: `C${n}` }));
const sold = (orderId: string, quantity: number, fromHold = quantity, at = minutes(5)): SaleEvent => ({
  type: 'TicketsSold',
  data: {
    orderId,
    lines: linesOf(quantity),
    paymentId: `pi_${orderId}`,
    at,
    buyerId: null,
    tickets: tickets(orderId, quantity),
    fromHold: fromHold === 0 ? [] : linesOf(fromHold),
  },
});
const extended = (orderId: string, until: string, reason: 'asked' | 'declined'): SaleEvent => ({
  type: 'HoldExtended',
  data: { orderId, until, reason },
});
const awaited = (orderId: string, until: string): SaleEvent => ({
  type: 'HoldExtended',
  data: { orderId, until, reason: 'processing' },
});
const refund = (orderId: string, quantity: number, reason: NotFulfilledReason): SaleEvent => ({
  type: 'PaymentNotFulfilled',
  data: { orderId, quantity, paymentId: `pi_${orderId}`, amountCents: 2500 * quantity, reason },
});
const canceled: SaleEvent = { type: 'SaleClosed', data: { reason: 'canceled', catalogVersion: 2 } };
const withdrawn = (catalogVersion: number): SaleEvent => ({
  type: 'SaleClosed',
  data: { reason: 'withdrawn', catalogVersion },
});
const cancel: SaleCommand = { type: 'CloseSale', reason: 'canceled', catalogVersion: 2 };

const hold = (orderId: string, quantity: number, at = noon): SaleCommand => ({
  type: 'HoldTickets',
  orderId,
  wanted: [{ type: 'general', quantity }],
  buyerId: null,
  at,
});
const pay = (orderId: string, quantity: number): SaleCommand => ({
  type: 'SellTickets',
  orderId,
  lines: linesOf(quantity),
  paidCents: 2500 * quantity,
  paymentId: `pi_${orderId}`,
  buyerId: null,
  at: minutes(5),
  tickets: tickets(orderId, quantity),
});

test('holds tickets for ten minutes at the price of the sale', () =>
  given(opened).when(hold('ann', 2)).yields(held('ann', 2)));
test('a hold lasts as long as configured, and is extended by the same time', () => {
  const hurried = scenarios(saleWith({ holdMinutes: 0.1 }));
  const untilOf = (seconds: number) => minutes(seconds / 60);
  const short: SaleEvent = { type: 'TicketsHeld', data: { ...held('ann', 2).data, until: untilOf(6) } as never };
  hurried(opened).when(hold('ann', 2)).yields(short);
  hurried(opened, short)
    .when({ type: 'ExtendHold', orderId: 'ann', at: noon })
    .yields(extended('ann', untilOf(12), 'asked'));
});
test('never holds tickets that others hold', () =>
  given(opened, held('ann', 2)).when(hold('bob', 2)).rejects('not-enough-left'));
test('rejects with all-held when the rest is held by others', () =>
  given(opened, held('ann', 3)).when(hold('bob', 1)).rejects('all-held'));
test('never sells a ticket twice', () =>
  given(opened, held('ann', 3), sold('ann', 3)).when(hold('bob', 1)).rejects('sold-out'));
test('the message of a refusal is singular for one ticket and plural for more', () => {
  const refusal = (left: number) => () =>
    sale.decide(hold('bob', 3), [opened, held('ann', 3 - left)].reduce(sale.evolve, sale.initial()));
  expect(refusal(1)).toThrow('Only 1 ticket is left.');
  expect(refusal(2)).toThrow('Only 2 tickets are left.');
});
test('a released hold can be held again', () =>
  given(opened, held('ann', 3), gone('ann', 3)).when(hold('bob', 3)).yields(held('bob', 3)));
test('holds no tickets of a type that is not offered', () =>
  given(opened)
    .when({ ...hold('ann', 1), wanted: [{ type: 'vip', quantity: 1 }] } as SaleCommand)
    .rejects('no-such-ticket-type'));
test('holding twice for one order makes one hold', () => given(opened, held('ann', 2)).when(hold('ann', 2)).yields());
test('holds nothing before the sale is opened', () => given().when(hold('ann', 1)).rejects('no-sale'));
test('holds nothing before sales start', () =>
  given({ type: 'SaleOpened', data: { ...terms, opensAt: minutes(1) } })
    .when(hold('ann', 1))
    .rejects('not-on-sale-yet'));
test('holds tickets from the moment sales start', () =>
  given({ type: 'SaleOpened', data: { ...terms, opensAt: noon } })
    .when(hold('ann', 1))
    .yields(held('ann', 1)));
test('holds nothing after sales end', () =>
  given({ type: 'SaleOpened', data: { ...terms, closesAt: noon } })
    .when(hold('ann', 1))
    .rejects('sales-ended'));
test('sells nothing for an event that is over, even if sales were to end later', () => {
  const until: SaleEvent = { type: 'SaleOpened', data: { ...terms, closesAt: minutes(600), endsAt: minutes(60) } };
  given(until)
    .when(hold('ann', 1, minutes(60)))
    .rejects('event-over');
  given(until)
    .when(hold('ann', 1, minutes(59)))
    .yields(held('ann', 1, minutes(59)));
});
test('the end of the event moves with its date', () =>
  given({ type: 'SaleOpened', data: { ...terms, endsAt: minutes(60) } })
    .when({ type: 'OfferTickets', terms: at(2, { endsAt: minutes(90) }) })
    .yields({ type: 'SaleChanged', data: at(2, { endsAt: minutes(90) }) }));
test('holds nothing for a canceled event', () => given(opened, canceled).when(hold('ann', 1)).rejects('not-on-sale'));

test('a change of the quantity releases and holds in one decision, so other buyers cannot get the tickets in between', () =>
  given(opened, held('ann', 2))
    .when({ ...hold('ann2', 3), replaces: 'ann' } as SaleCommand)
    .yields(
      { type: 'HoldReleased', data: { orderId: 'ann', lines: linesOf(2), reason: 'replaced' } },
      held('ann2', 3),
    ));
test('a refused change of quantity keeps the hold', () =>
  given(opened, held('bob', 1), held('ann', 2))
    .when({ ...hold('ann2', 3), replaces: 'ann' } as SaleCommand)
    .rejects('not-enough-left'));

test('a hold is extended once by ten minutes', () =>
  given(opened, held('ann', 1))
    .when({ type: 'ExtendHold', orderId: 'ann', at: minutes(8) })
    .yields(extended('ann', minutes(20), 'asked')));
test('a hold is not extended twice', () =>
  given(opened, held('ann', 1), extended('ann', minutes(20), 'asked'))
    .when({ type: 'ExtendHold', orderId: 'ann', at: minutes(12) })
    .rejects('already-extended'));
test('an extension ends at most twenty minutes after the start of the hold', () =>
  given(opened, held('ann', 1))
    .when({ type: 'ExtendHold', orderId: 'ann', at: minutes(15) })
    .yields(extended('ann', minutes(20), 'asked')));
test('a hold that has ended is not extended', () =>
  given(opened).when({ type: 'ExtendHold', orderId: 'ann', at: noon }).rejects('hold-gone'));

test('a declined card gets ten more minutes', () =>
  given(opened, held('ann', 1))
    .when({ type: 'RecordDecline', orderId: 'ann', at: minutes(9) })
    .yields(extended('ann', minutes(19), 'declined')));
test('a second decline does not extend the hold', () =>
  given(opened, held('ann', 1), extended('ann', minutes(19), 'declined'))
    .when({ type: 'RecordDecline', orderId: 'ann', at: minutes(18) })
    .yields());

test('a decline that arrives after its hold has ended changes nothing', () =>
  given(opened).when({ type: 'RecordDecline', orderId: 'ann', at: noon }).yields());
test('a hold that was extended for a payment under way keeps its own extension and that of a decline', () => {
  const log = [opened, held('ann', 1), awaited('ann', minutes(15))];
  given(...log)
    .when({ type: 'ExtendHold', orderId: 'ann', at: minutes(12) })
    .yields(extended('ann', minutes(20), 'asked'));
  given(...log)
    .when({ type: 'RecordDecline', orderId: 'ann', at: minutes(12) })
    .yields(extended('ann', minutes(22), 'declined'));
});
test('an expired hold gives its stock back', () =>
  given(opened, held('ann', 1))
    .when({ type: 'ReleaseHold', orderId: 'ann', reason: 'expired', at: minutes(10) })
    .yields(gone('ann', 1)));
test('if a hold was extended before the command that expires it arrives, the hold does not expire', () =>
  given(opened, held('ann', 1), extended('ann', minutes(20), 'asked'))
    .when({ type: 'ReleaseHold', orderId: 'ann', reason: 'expired', at: minutes(10) })
    .yields());
test('a hold can be given back before its time is over', () =>
  given(opened, held('ann', 1))
    .when({ type: 'ReleaseHold', orderId: 'ann', reason: 'given-back', at: minutes(1) })
    .yields({ type: 'HoldReleased', data: { orderId: 'ann', lines: linesOf(1), reason: 'given-back' } }));
test('if a hold is given back twice, it is released once', () =>
  given(opened, held('ann', 1), gone('ann', 1))
    .when({ type: 'ReleaseHold', orderId: 'ann', reason: 'given-back', at: noon })
    .yields());

test('money turns a hold into tickets', () => given(opened, held('ann', 2)).when(pay('ann', 2)).yields(sold('ann', 2)));
test('sells even after the hold has lapsed, if enough tickets are left', () =>
  given(opened, held('ann', 2), gone('ann', 2))
    .when(pay('ann', 2))
    .yields(sold('ann', 2, 0)));
test('money that arrives after its hold and after the event is refunded', () => {
  const over: SaleEvent = { type: 'SaleOpened', data: { ...terms, endsAt: minutes(5) } };
  const lapsed = [held('ann', 2), gone('ann', 2)];
  given(over, ...lapsed)
    .when(pay('ann', 2))
    .yields(refund('ann', 2, 'too-late'));
  given({ ...over, data: { ...over.data, endsAt: minutes(6) } }, ...lapsed)
    .when(pay('ann', 2))
    .yields(sold('ann', 2, 0));
  given(over, held('ann', 2)).when(pay('ann', 2)).yields(sold('ann', 2));
  // The new date of a postponed event is not known.
  given(over, ...lapsed, { type: 'SaleClosed', data: { reason: 'postponed', catalogVersion: 2 } })
    .when(pay('ann', 2))
    .yields(sold('ann', 2, 0));
  // After a restore, the tickets were already mailed.
  given(over, ...lapsed)
    .when({ ...pay('ann', 2), isPublished: true } as SaleCommand)
    .yields(sold('ann', 2, 0));
});
test('money for a sale that never opened is refunded', () =>
  given()
    .when(pay('ann', 2))
    .yields(refund('ann', 2, 'too-late')));
test('a payment for more tickets than were held takes the rest from the stock, or is refunded if too few are left', () => {
  given(opened, held('ann', 1))
    .when(pay('ann', 3))
    .yields(sold('ann', 3, 1));
  given(opened, held('ann', 1), held('bob', 1))
    .when(pay('ann', 3))
    .yields(refund('ann', 3, 'too-late'));
});
test('requests a refund if the payment arrives after the hold has lapsed and all other tickets are sold', () =>
  given(opened, held('ann', 2), gone('ann', 2), held('bob', 2), sold('bob', 2))
    .when(pay('ann', 2))
    .yields(refund('ann', 2, 'too-late')));
test('a late payment does not take tickets that others hold', () =>
  given(opened, held('ann', 2), gone('ann', 2), held('bob', 2))
    .when(pay('ann', 2))
    .yields(refund('ann', 2, 'too-late')));
test('an order that is missing in a restored log is recreated with its tickets, whatever the current terms are', () => {
  const lost = { ...pay('ann', 2), isPublished: true, isLost: true } as SaleCommand;
  const data = {
    ...{ orderId: 'ann', lines: linesOf(2), at: minutes(5), until: minutes(5), buyerId: null },
    refundDeadlineHours: 24,
  };
  given(opened, { type: 'SaleChanged', data: { ...terms, priceCents: 9900, closesAt: noon, endsAt: noon } })
    .when(lost)
    .yields({ type: 'TicketsHeld', data }, sold('ann', 2));
  given(opened, held('bob', 2))
    .when(lost)
    .yields(refund('ann', 2, 'order-lost'));
  given(opened, canceled)
    .when(lost)
    .yields(refund('ann', 2, 'event-canceled'));
  // The restored log still has the order's hold.
  given(opened, held('ann', 2)).when(lost).yields(sold('ann', 2));
});
test('a payment that gets no tickets is refunded, and its hold is released', () => {
  const { data } = refund('ann', 2, 'order-lost') as Extract<SaleEvent, { type: 'PaymentNotFulfilled' }>;
  const refuse: SaleCommand = { type: 'RefuseMoney', ...data };
  given(opened)
    .when(refuse)
    .yields(refund('ann', 2, 'order-lost'));
  given(opened, held('ann', 2))
    .when(refuse)
    .yields(gone('ann', 2), refund('ann', 2, 'order-lost'));
});
test('a payment below the price buys nothing: it is refunded completely, and its hold is released', () => {
  const less = { ...pay('ann', 2), paidCents: 4999 } as SaleCommand;
  const back = { ...refund('ann', 2, 'underpaid').data, amountCents: 4999 };
  const refused = { type: 'PaymentNotFulfilled', data: back } as SaleEvent;
  given(opened, held('ann', 2))
    .when(less)
    .yields(gone('ann', 2, 'underpaid' as never), refused);
  given(opened, held('ann', 2), gone('ann', 2)).when(less).yields(refused);
});
test('a payment that bought nothing is refunded with the received amount', () =>
  given(opened, held('ann', 1), canceled)
    .when({ ...pay('ann', 1), paidCents: 2400 } as SaleCommand)
    .yields({
      type: 'PaymentNotFulfilled',
      data: { ...refund('ann', 1, 'event-canceled').data, amountCents: 2400 },
    } as SaleEvent));
test('a payment for a canceled event is refunded', () =>
  given(opened, held('ann', 1), gone('ann', 1, 'event-canceled' as never), canceled)
    .when(pay('ann', 1))
    .yields(refund('ann', 1, 'event-canceled')));

const lowered = (capacity: number): SaleEvent => ({ type: 'SaleChanged', data: at(2, { capacity }) });
const offer = (capacity: number): SaleCommand => ({ type: 'OfferTickets', terms: at(2, { capacity }) });

test('a capacity below the number of sold and held tickets is stored as requested', () =>
  given(opened, held('ann', 1), sold('ann', 1), held('bob', 1)).when(offer(1)).yields(lowered(1)));
test('after the capacity was lowered, lapsed tickets are not sold again until sold plus held tickets are below the new capacity', () => {
  const log = [opened, held('ann', 2), held('bob', 1), lowered(2)];
  given(...log, gone('bob', 1))
    .when(hold('cat', 1))
    .rejects('all-held');
  given(...log, gone('ann', 2))
    .when(hold('cat', 1))
    .yields(held('cat', 1));
  given(...log, gone('ann', 2))
    .when(hold('cat', 2))
    .rejects('not-enough-left');
});
test('a capacity lowered from seventy to fifty stays fifty after holds lapse and the same terms are sent again', () => {
  const log = [{ ...opened, data: { ...terms, capacity: 70 } } as SaleEvent, held('ann', 60), lowered(50)];
  given(...log, gone('ann', 60))
    .when(hold('bob', 51))
    .rejects('not-enough-left');
  given(...log)
    .when(offer(50))
    .yields();
});
test('a lowered capacity takes nothing from existing holds: their buyers may buy, or reduce the quantity', () => {
  const log = [opened, held('ann', 2), held('bob', 1), lowered(1)];
  given(...log)
    .when(pay('ann', 2))
    .yields(sold('ann', 2));
  given(...log)
    .when({ ...hold('ann2', 2), replaces: 'ann' } as SaleCommand)
    .yields({ type: 'HoldReleased', data: { orderId: 'ann', lines: linesOf(2), reason: 'replaced' } }, held('ann2', 2));
  given(...log)
    .when({ ...hold('ann2', 1), replaces: 'ann' } as SaleCommand)
    .yields({ type: 'HoldReleased', data: { orderId: 'ann', lines: linesOf(2), reason: 'replaced' } }, held('ann2', 1));
  given(...log)
    .when({ ...hold('ann2', 3), replaces: 'ann' } as SaleCommand)
    .rejects('all-held');
});
test('a payment whose hold has lapsed gets no tickets if the lowered capacity is used up', () =>
  given(opened, held('ann', 1), held('bob', 2), lowered(2), gone('ann', 1))
    .when(pay('ann', 1))
    .yields(refund('ann', 1, 'too-late')));
test('the same terms again change nothing', () => given(opened).when({ type: 'OfferTickets', terms }).yields());
test('canceling an event releases every hold', () =>
  given(opened, held('ann', 1), held('bob', 1))
    .when(cancel)
    .yields(gone('ann', 1, 'event-canceled' as never), gone('bob', 1, 'event-canceled' as never), canceled));
test('a withdrawn sale keeps its open holds', () =>
  given(opened, held('ann', 1))
    .when({ type: 'CloseSale', reason: 'withdrawn', catalogVersion: 2 })
    .yields(withdrawn(2)));
test('a withdrawn sale can be opened again', () =>
  given(opened, withdrawn(2))
    .when({ type: 'OfferTickets', terms: at(3) })
    .yields({ type: 'SaleChanged', data: at(3) }));
test('a sale whose cancellation arrives first never opens', () => {
  given().when(cancel).yields(canceled);
  given(canceled)
    .when({ type: 'OfferTickets', terms: at(3) })
    .yields();
  given(canceled).when(cancel).yields();
});

const changed = (data: Terms): SaleEvent => ({ type: 'SaleChanged', data });
test('terms that are older than the current terms, or equal to them, are ignored', () => {
  const dearer = changed(at(3, { priceCents: 5000 }));
  given(opened, dearer)
    .when({ type: 'OfferTickets', terms: at(2) })
    .yields();
  given(opened, dearer)
    .when({ type: 'OfferTickets', terms: at(3) })
    .yields();
  given(opened, dearer).when({ type: 'OfferTickets', terms }).yields();
  given(opened, dearer)
    .when({ type: 'OfferTickets', terms: at(4) })
    .yields(changed(at(4)));
});
test('a newer version of equal terms is recorded, so that a version in between that arrives late is ignored', () => {
  given(opened)
    .when({ type: 'OfferTickets', terms: at(4) })
    .yields(changed(at(4)));
  given(opened, changed(at(4)))
    .when({ type: 'OfferTickets', terms: at(3, { priceCents: 1 }) })
    .yields();
});
test('an older message neither opens nor withdraws again a sale that was withdrawn later', () => {
  given().when({ type: 'CloseSale', reason: 'withdrawn', catalogVersion: 3 }).yields(withdrawn(3));
  given(withdrawn(3))
    .when({ type: 'OfferTickets', terms: at(2) })
    .yields();
  given(opened, withdrawn(3))
    .when({ type: 'OfferTickets', terms: at(2) })
    .yields();
  given(opened, changed(at(4)))
    .when({ type: 'CloseSale', reason: 'withdrawn', catalogVersion: 3 })
    .yields();
  given(opened, withdrawn(3)).when({ type: 'CloseSale', reason: 'withdrawn', catalogVersion: 5 }).yields(withdrawn(5));
});
test('a cancellation with any version closes the sale', () =>
  given(opened, changed(at(4)))
    .when(cancel)
    .yields(canceled));
test('a closing releases a limited number of holds; repeated, it releases the others and records nothing else', () => {
  const few = scenarios(saleWith({ releasedAtOnce: 2 }));
  const holds = ['ann', 'bob', 'cy'].map((orderId) => held(orderId, 1));
  const release = (orderId: string, reason: 'event-canceled' | 'event-postponed'): SaleEvent => ({
    type: 'HoldReleased',
    data: { orderId, lines: linesOf(1), reason },
  });
  const first = [release('ann', 'event-canceled'), release('bob', 'event-canceled'), canceled];
  few(opened, ...holds)
    .when(cancel)
    .yields(...first);
  few(opened, ...holds, ...first)
    .when(cancel)
    .yields(release('cy', 'event-canceled'));
  few(opened, ...holds, ...first, release('cy', 'event-canceled'))
    .when(cancel)
    .yields();
  // A closing by an older version of the event releases nothing.
  const postponing = [release('ann', 'event-postponed'), release('bob', 'event-postponed'), postponed(3)];
  few(opened, ...holds, ...postponing)
    .when(postpone(3))
    .yields(release('cy', 'event-postponed'));
  few(opened, ...holds, ...postponing)
    .when(postpone(2))
    .yields();
  few(opened, ...holds, ...postponing, changed(at(4)))
    .when(postpone(3))
    .yields();
});
test('a canceled sale cannot be opened again', () =>
  given(opened, canceled)
    .when({ type: 'OfferTickets', terms: at(3) })
    .yields());

const attach = (orderId: string, more: object = {}): SaleCommand => ({
  type: 'AttachPayment',
  orderId,
  paymentId: `pi_${orderId}`,
  at: minutes(1),
  ...more,
});
const attached = (orderId: string, more: object = {}): SaleEvent => ({
  type: 'PaymentAttached',
  data: { orderId, paymentId: `pi_${orderId}`, ...more },
});
const release = (orderId: string, reason: ReleaseReason, more: object = {}): SaleCommand => ({
  type: 'ReleaseHold',
  orderId,
  reason,
  at: minutes(30),
  ...more,
});
const went = (orderId: string, quantity: number, reason: ReleaseReason): SaleEvent => ({
  type: 'HoldReleased',
  data: { orderId, lines: linesOf(quantity), reason },
});

test('a payment is attached to a hold once', () => {
  given(opened, held('ann', 1)).when(attach('ann')).yields(attached('ann'));
  given(opened, held('ann', 1), attached('ann')).when(attach('ann')).yields();
});
test('no payment is attached to a hold that was released, or whose time is over', () => {
  given(opened).when(attach('ann')).rejects('hold-gone');
  given(opened, held('ann', 1), gone('ann', 1)).when(attach('ann')).rejects('hold-gone');
  given(opened, held('ann', 1), went('ann', 1, 'event-canceled'), canceled)
    .when(attach('ann'))
    .rejects('hold-gone');
  given(opened, held('ann', 1))
    .when(attach('ann', { at: minutes(10) }))
    .rejects('hold-gone');
});
test('a payment replaces only the payment that was attached when it was requested', () => {
  const second = { paymentId: 'pi_second' };
  given(opened, held('ann', 1), attached('ann'))
    .when(attach('ann', { ...second, instead: 'pi_ann' }))
    .yields(attached('ann', second));
  given(opened, held('ann', 1), attached('ann', second)).when(attach('ann')).rejects('payment-changed');
});
test('a hold without a payment is released when payments is unavailable; one with a payment stays', () => {
  given(opened, held('ann', 1))
    .when(release('ann', 'payment-unavailable'))
    .yields(went('ann', 1, 'payment-unavailable'));
  given(opened, held('ann', 1), attached('ann')).when(release('ann', 'payment-unavailable')).yields();
});
test('a hold that can be paid is released only if exactly its payment was closed', () => {
  const log = [opened, held('ann', 1), attached('ann')];
  given(...log)
    .when(release('ann', 'expired'))
    .yields();
  given(...log)
    .when(release('ann', 'expired', { closedPaymentId: 'pi_former' }))
    .yields();
  given(...log)
    .when(release('ann', 'expired', { closedPaymentId: 'pi_ann' }))
    .yields(went('ann', 1, 'expired'));
  given(...log)
    .when(release('ann', 'given-back'))
    .rejects('payment-under-way');
  given(...log)
    .when({ ...hold('ann2', 2), replaces: 'ann' } as SaleCommand)
    .rejects('payment-under-way');
});
test('a hold without a payment is released, whichever payment was closed', () =>
  given(opened, held('ann', 1))
    .when(release('ann', 'expired', { closedPaymentId: 'pi_ann' }))
    .yields(went('ann', 1, 'expired')));

const by = (who: number | string, event: SaleEvent): SaleEvent =>
  ({
    ...event,
    data: { ...event.data, ...(typeof who === 'number' ? { buyerId: who } : { guest: who }) },
  }) as SaleEvent;
const asks = (who: number | string, command: SaleCommand): SaleCommand =>
  ({ ...command, ...(typeof who === 'number' ? { buyerId: who } : { guest: who }) }) as SaleCommand;
const big: SaleEvent = { type: 'SaleOpened', data: { ...terms, capacity: 100 } };

for (const who of [7, 'hash-of-ann']) {
  const log = [big, by(who, held('a', 1)), by(who, held('b', 1))];
  const name = typeof who === 'number' ? 'an account' : 'a guest';

  test(`${name} has at most two open holds in a sale`, () => {
    given(...log)
      .when(asks(who, hold('c', 1)))
      .rejects('too-many-holds');
    given(...log)
      .when(asks(8, hold('c', 1)))
      .yields(by(8, held('c', 1)));
  });
  test(`${name} may hold again when a hold was given back, ran out or was paid`, () => {
    for (const end of [went('a', 1, 'given-back'), gone('a', 1), sold('a', 1)])
      given(...log, end)
        .when(asks(who, hold('c', 1)))
        .yields(by(who, held('c', 1)));
  });
  test(`${name} who changes a quantity does not use up another hold`, () =>
    given(...log)
      .when({ ...asks(who, hold('c', 3)), replaces: 'a' } as SaleCommand)
      .yields(went('a', 1, 'replaced'), by(who, held('c', 3))));
  test(`${name} does not hold more tickets than allowed, counted over all open holds`, () => {
    const few = scenarios(saleWith({ heldTickets: 8 }));
    few(big, by(who, held('a', 5)))
      .when(asks(who, hold('b', 4)))
      .rejects('too-many-held');
    few(big, by(who, held('a', 5)))
      .when(asks(who, hold('b', 3)))
      .yields(by(who, held('b', 3)));
    few(big, by(who, held('a', 5)))
      .when({ ...asks(who, hold('b', 8)), replaces: 'a' } as SaleCommand)
      .yields(went('a', 5, 'replaced'), by(who, held('b', 8)));
    few(big)
      .when(asks(who, hold('a', 9)))
      .rejects('too-many-held');
  });
}
test('the message of a limit is singular for one order and plural for more', () => {
  const refusal = (openHolds: number, ...events: SaleEvent[]) => {
    const rules = saleWith({ openHolds });
    return () => rules.decide(asks(7, hold('c', 1)), [big, ...events].reduce(rules.evolve, rules.initial()));
  };
  expect(refusal(1, by(7, held('a', 1)))).toThrow('in 1 order.');
  expect(refusal(2, by(7, held('a', 1)), by(7, held('b', 1)))).toThrow('in 2 orders.');
});
test('a guest without a key is not counted', () => {
  const few = scenarios(saleWith({ heldTickets: 8 }));
  few(big).when(hold('a', 9)).yields(held('a', 9));
  few(big, held('a', 9)).when(attach('a')).yields(attached('a'));
});
test('a buyer who replaces the hold of another buyer gets no additional allowance', () =>
  given(big, by(7, held('a', 1)), by(7, held('b', 1)), held('c', 1))
    .when({ ...asks(7, hold('d', 1)), replaces: 'c' } as SaleCommand)
    .rejects('too-many-holds'));
test('if an account takes over the hold of a guest, the hold counts for the account', () =>
  given(big, by('hash-of-ann', held('a', 1)))
    .when({ ...asks(7, hold('b', 2)), replaces: 'a' } as SaleCommand)
    .yields(went('a', 1, 'replaced'), by(7, held('b', 2))));
test('if a guest changes the quantity, the new hold still counts under the guest’s key', () => {
  const log = [big, by('hash-of-key', held('a', 1)), attached('a')];
  given(...log)
    .when({ ...asks('hash-of-other', hold('b', 2)), replaces: 'a', closedPaymentId: 'pi_a' } as SaleCommand)
    .yields(went('a', 1, 'replaced'), by('hash-of-key', held('b', 2)));
});
const since = (event: SaleEvent, until: number, more: object = {}): SaleEvent =>
  ({ ...event, data: { ...event.data, until: minutes(until), ...more } }) as SaleEvent;
const change = (at: number, from = 'a', to = 'b') => ({ ...hold(to, 1, minutes(at)), replaces: from }) as SaleCommand;

test('a hold with a changed quantity keeps the start of the first hold, and ends twenty minutes after it', () => {
  given(opened, held('a', 1))
    .when(change(6))
    .yields(went('a', 1, 'replaced'), since(held('b', 1), 16));
  given(opened, held('a', 1), went('a', 1, 'replaced'), since(held('b', 1), 16))
    .when(change(15, 'b', 'c'))
    .yields(went('b', 1, 'replaced'), since(held('c', 1), 20));
  given(opened, since(held('c', 1), 20))
    .when(change(20, 'c', 'd'))
    .rejects('hold-gone');
});
test('after a change of the quantity, there is no second extension, neither by the buyer nor by a decline', () => {
  const log = [opened, held('a', 1), extended('a', minutes(20), 'asked'), extended('a', minutes(25), 'declined')];
  const kept = since(held('b', 1), 25, { extended: true, declined: true });
  given(...log)
    .when(change(18))
    .yields(went('a', 1, 'replaced'), kept);
  given(...log, went('a', 1, 'replaced'), kept)
    .when({ type: 'ExtendHold', orderId: 'b', at: minutes(19) })
    .rejects('already-extended');
  given(...log, went('a', 1, 'replaced'), kept)
    .when({ type: 'RecordDecline', orderId: 'b', at: minutes(24) })
    .yields();
});
test('a decline that arrives late does not extend a hold beyond thirty minutes', () =>
  given(opened, held('a', 1))
    .when({ type: 'RecordDecline', orderId: 'a', at: minutes(180) })
    .yields(extended('a', minutes(30), 'declined')));
test('a hold waits for a payment in progress until forty minutes after its start, and is then released', () => {
  const waits = (until: number) => awaited('a', minutes(until));
  const wait = (at: number): SaleCommand => ({ type: 'AwaitMoney', orderId: 'a', at: minutes(at) });
  const log = [opened, held('a', 1), attached('a')];
  given(...log)
    .when(wait(9))
    .yields();
  given(...log)
    .when(wait(11))
    .yields(waits(21));
  given(...log, waits(35))
    .when(wait(35))
    .yields(waits(40));
  given(...log, waits(40))
    .when(wait(40))
    .yields(gone('a', 1));
});

const buyers = ['a', 'b', 'c', 'd', 'e', 'f'];
const anyCommand: fc.Arbitrary<SaleCommand> = fc
  .record({
    kind: fc.integer({ min: 0, max: 8 }),
    who: fc.constantFrom(...buyers),
    quantity: fc.integer({ min: 1, max: 10 }),
    time: fc.integer({ min: 0, max: 40 }),
  })
  .map(({ kind, who, quantity, time }): SaleCommand => {
    switch (kind) {
      case 0:
      case 1:
        return asks(who < 'c' ? 1 : who, hold(who, quantity, minutes(time)));
      case 2:
        return {
          ...hold(`${who}2`, quantity, minutes(time)),
          replaces: who,
          closedPaymentId: `pi_${who}`,
        } as SaleCommand;
      case 3:
        return pay(who, quantity);
      case 4:
        return { type: 'ReleaseHold', orderId: who, reason: 'expired', at: minutes(time) };
      case 6:
        return attach(who, { at: minutes(time) });
      case 7:
        return { type: 'AwaitMoney', orderId: who, at: minutes(time) };
      case 5:
        return { type: 'ExtendHold', orderId: who, at: minutes(time) };
      default:
        return { type: 'OfferTickets', terms: at(time + 2, { capacity: quantity * 2 }) };
    }
  });

/** Sold plus held. */
const stockTaken = ({ stock }: Sale) => totals(stock).sold + totals(stock).held;

test('no sequence of commands grants more tickets than the capacity', () => {
  fc.assert(
    fc.property(fc.array(anyCommand, { maxLength: 60 }), (commands) => {
      let state: Sale = sale.evolve(sale.initial(), opened);
      for (const command of commands) {
        const before = stockTaken(state);
        try {
          for (const event of sale.decide(command, state)) state = sale.evolve(state, event);
        } catch (error) {
          if (!(error instanceof Rejected)) throw error;
        }
        const heldNow = [...state.holds.values()].reduce((sum, { lines }) => sum + ticketCount(lines), 0);
        expect(totals(state.stock).held).toBe(heldNow);
        expect(stockTaken(state)).toBeLessThanOrEqual(Math.max(before, state.terms?.capacity ?? 0));
        const counted = Map.groupBy(state.holds.values(), ({ buyer }) => buyer);
        counted.delete(null);
        expect(state.buyers).toEqual(
          new Map(
            [...counted].map(([buyer, of]) => [
              buyer,
              { holds: of.length, tickets: of.reduce((sum, { lines }) => sum + ticketCount(lines), 0) },
            ]),
          ),
        );
        for (const { holds } of state.buyers.values()) expect(holds).toBeLessThanOrEqual(2);
        for (const { at, until } of state.holds.values())
          expect(Date.parse(until) - Date.parse(at)).toBeLessThanOrEqual(40 * 60_000);
      }
      expect(saleSnapshot.read(JSON.parse(JSON.stringify(saleSnapshot.write(state))))).toEqual(state);
    }),
    { numRuns: 500 },
  );
});

test('a snapshot stores equal holds once and restores each with its own buyer', () => {
  const holds = Array.from({ length: 500 }, (_, n) => by(n + 1, held(`order-${n}`, 1)));
  const state = holds.reduce(
    sale.evolve,
    sale.evolve(sale.initial(), { ...opened, data: { ...terms, capacity: 500 } }),
  );
  const text = JSON.stringify(saleSnapshot.write(state));
  expect(text.match(/priceCents/g)).toHaveLength(2); // in the terms, and once for all holds
  const read = saleSnapshot.read(JSON.parse(text));
  expect(read).toEqual(state);
  sale.evolve(read, extended('order-1', minutes(20), 'asked'));
  expect(read.holds.get('order-2')?.extended).toBe(false);
});

test('a snapshot restores two holds that differ in one field', () => {
  const changes = [
    { lines: linesOf(2) },
    { at: minutes(1) },
    { until: minutes(9) },
    { lines: linesOf(1, 2_600) },
    { lines: [{ ...linesOf(1)[0]!, type: 'vip' }] },
    { lines: [{ ...linesOf(1)[0]!, name: 'Admission' }] },
    { lines: [...linesOf(1), ...linesOf(1)] },
    { extended: true },
    { declined: true },
  ];
  for (const change of changes) {
    const second = { ...held('b', 1), data: { ...held('b', 1).data, ...change } } as SaleEvent;
    const state = [big, held('a', 1), second].reduce(sale.evolve, sale.initial());
    expect(saleSnapshot.read(JSON.parse(JSON.stringify(saleSnapshot.write(state))))).toEqual(state);
  }
});
test('a snapshot restores which of two equal holds has a buyer and a payment', () => {
  const state = [big, by(7, held('a', 1)), attached('a'), held('b', 1)].reduce(sale.evolve, sale.initial());
  expect(saleSnapshot.write(state).holds).toHaveLength(1);
  expect(saleSnapshot.read(JSON.parse(JSON.stringify(saleSnapshot.write(state))))).toEqual(state);
});
test('a snapshot leaves out the lists of buyers and payments if no hold has any', () => {
  const keysOf = (...events: SaleEvent[]) =>
    saleSnapshot.write([big, held('a', 1), ...events].reduce(sale.evolve, sale.initial())).holds.map(Object.keys);
  expect(keysOf()).toEqual([['hold', 'orders']]);
  expect(keysOf(attached('a'))).toEqual([['hold', 'orders', 'payments']]);
});

const withdraw = (orderId: string, paymentId = `pi_${orderId}`): SaleCommand => ({
  type: 'WithdrawMoney',
  orderId,
  paymentId,
});
const taken = (orderId: string, paymentId = `pi_${orderId}`): SaleEvent => ({
  type: 'MoneyWithdrawn',
  data: { orderId, paymentId },
});
const letGoFor = (orderId: string, quantity: number): SaleEvent => ({
  type: 'HoldReleased',
  data: { orderId, lines: linesOf(quantity), reason: 'money-withdrawn' },
});

test('if a payment is withdrawn before it bought anything, the hold is released, and the payment buys nothing later', () => {
  const before = [opened, held('ann', 2), attached('ann')];
  given(...before)
    .when(withdraw('ann'))
    .yields(letGoFor('ann', 2), taken('ann'));
  const after = [...before, letGoFor('ann', 2), taken('ann')];
  given(...after)
    .when(withdraw('ann'))
    .yields();
  given(...after)
    .when(pay('ann', 2))
    .yields(refund('ann', 2, 'refunded-by-provider'));
});
test('if a payment is withdrawn, the hold of another payment stays', () => {
  given(opened, held('ann', 2), attached('ann')).when(withdraw('ann', 'pi_before')).yields(taken('ann', 'pi_before'));
  given(opened, held('ann', 2), attached('ann'), taken('ann', 'pi_before')).when(pay('ann', 2)).yields(sold('ann', 2));
});
test('a snapshot keeps which payments were withdrawn', () => {
  const state = [opened, held('ann', 2), taken('ann')].reduce(sale.evolve, sale.initial());
  expect(saleSnapshot.read(JSON.parse(JSON.stringify(saleSnapshot.write(state))))).toEqual(state);
});

test('a bought order is claimed by an account', () =>
  given(opened, held('ann', 2), sold('ann', 2))
    .when({ type: 'ClaimOrder', orderId: 'ann', quantity: 2, buyerId: 3, linkGeneration: 1 })
    .yields({ type: 'OrderClaimed', data: { orderId: 'ann', quantity: 2, buyerId: 3, linkGeneration: 1 } }));
test('an order that is only held cannot be claimed, because it may still lapse', () =>
  given(opened, held('ann', 2))
    .when({ type: 'ClaimOrder', orderId: 'ann', quantity: 2, buyerId: 3, linkGeneration: 1 })
    .rejects('not-bought'));

const postpone = (catalogVersion: number): SaleCommand => ({
  type: 'CloseSale',
  reason: 'postponed',
  catalogVersion,
});
const postponed = (catalogVersion: number): SaleEvent => ({
  type: 'SaleClosed',
  data: { reason: 'postponed', catalogVersion },
});
const laidOff = (orderId: string, quantity: number): SaleEvent => ({
  type: 'HoldReleased',
  data: { orderId, lines: linesOf(quantity), reason: 'event-postponed' },
});
const versioned = (catalogVersion: number): SaleEvent => ({ type: 'SaleOpened', data: at(catalogVersion) });

test('a postponed event sells nothing, and the refusal gives the reason', () =>
  given(versioned(1), postponed(2)).when(hold('ann', 1)).rejects('event-postponed'));
test('postponing releases holds without a payment, and keeps those that may be paid right now', () =>
  given(versioned(1), held('ann', 1), held('bob', 1), attached('bob'))
    .when(postpone(2))
    .yields(laidOff('ann', 1), postponed(2)));
test('a payment that was in progress when the event was postponed buys its tickets', () =>
  given(versioned(1), held('bob', 2), attached('bob'), postponed(2)).when(pay('bob', 2)).yields(sold('bob', 2)));
test('no payment can be started for a hold that a postponement released', () =>
  given(versioned(1), held('ann', 1), laidOff('ann', 1), postponed(2))
    .when({ type: 'AttachPayment', orderId: 'ann', paymentId: 'pi_ann', at: noon })
    .rejects('hold-gone'));
test('a hold cannot be exchanged for another while the event has no date', () =>
  given(versioned(1), held('ann', 1), attached('ann'), postponed(2))
    .when({
      type: 'HoldTickets',
      orderId: 'ann2',
      wanted: [{ type: 'general', quantity: 2 }],
      buyerId: null,
      at: noon,
      replaces: 'ann',
      closedPaymentId: 'pi_ann',
    })
    .rejects('event-postponed'));
const suspended = (catalogVersion: number): SaleEvent => ({
  type: 'SaleClosed',
  data: { reason: 'suspended', catalogVersion },
});
test('a suspended event sells nothing until a later version of its terms', () => {
  given(versioned(1), suspended(2)).when(hold('ann', 1)).rejects('event-suspended');
  given(versioned(1), suspended(2))
    .when({ type: 'OfferTickets', terms: at(3) })
    .yields({ type: 'SaleChanged', data: at(3) });
  given(versioned(1), { type: 'SaleChanged', data: at(3) })
    .when({ type: 'CloseSale', reason: 'suspended', catalogVersion: 2 })
    .yields();
});
test('a suspension releases holds without a payment; a buyer who is paying gets tickets, even if the money arrives late', () => {
  given(versioned(1), held('ann', 1), held('bob', 1), attached('bob'))
    .when({ type: 'CloseSale', reason: 'suspended', catalogVersion: 2 })
    .yields(
      { type: 'HoldReleased', data: { orderId: 'ann', lines: linesOf(1), reason: 'event-suspended' } },
      suspended(2),
    );
  given(versioned(1), held('bob', 2), attached('bob'), suspended(2)).when(pay('bob', 2)).yields(sold('bob', 2));
  given(versioned(1), held('bob', 2), gone('bob', 2), suspended(2))
    .when(pay('bob', 2))
    .yields(sold('bob', 2, 0));
});
test('a suspended event can be canceled; money that arrives later is then refunded', () =>
  given(versioned(1), suspended(2), { type: 'SaleClosed', data: { reason: 'canceled', catalogVersion: 3 } })
    .when(pay('bob', 2))
    .yields(refund('bob', 2, 'event-canceled')));

test('a new date reopens the sale and keeps what was sold', () => {
  const moved = { ...terms, catalogVersion: 3, endsAt: minutes(9_000) };
  given(versioned(1), held('bob', 2), attached('bob'), sold('bob', 2), postponed(2))
    .when({ type: 'OfferTickets', terms: moved })
    .yields({ type: 'SaleChanged', data: moved });
  given(versioned(1), held('bob', 2), sold('bob', 2), postponed(2), { type: 'SaleChanged', data: moved })
    .when(hold('ann', 2))
    .rejects('not-enough-left');
});
test('a postponement that arrives after the new date does not close the sale', () =>
  given(versioned(1), { type: 'SaleChanged', data: { ...terms, catalogVersion: 3 } })
    .when(postpone(2))
    .yields());
test('terms from before the postponement do not open the sale again', () =>
  given(versioned(1), postponed(3))
    .when({ type: 'OfferTickets', terms: { ...terms, priceCents: 9900, catalogVersion: 2 } })
    .yields());
test('if an event was postponed before its sale opened, the sale opens when the event has a date', () => {
  given().when(postpone(2)).yields(postponed(2));
  given(postponed(2))
    .when({ type: 'OfferTickets', terms: { ...terms, catalogVersion: 1 } })
    .yields();
  given(postponed(2))
    .when({ type: 'OfferTickets', terms: { ...terms, catalogVersion: 3 } })
    .yields({ type: 'SaleOpened', data: { ...terms, catalogVersion: 3 } });
});
test('a payment for a postponed event that was canceled buys nothing', () => {
  given(versioned(1), held('bob', 1), attached('bob'), postponed(2))
    .when({ type: 'CloseSale', reason: 'canceled', catalogVersion: 3 })
    .yields(
      { type: 'HoldReleased', data: { orderId: 'bob', lines: linesOf(1), reason: 'event-canceled' } },
      { type: 'SaleClosed', data: { reason: 'canceled', catalogVersion: 3 } },
    );
  given(versioned(1), canceled).when(postpone(4)).yields();
});

test('a new link is recorded as an event about its order', () =>
  given(opened, held('ann', 2), sold('ann', 2))
    .when({ type: 'RenewLink', orderId: 'ann', linkGeneration: 2 })
    .yields({ type: 'LinkRenewed', data: { orderId: 'ann', linkGeneration: 2 } }));

test('the event about a new link after a corrected email address names the role that corrected it, and no email address', () =>
  given(opened, held('ann', 2), sold('ann', 2))
    .when({ type: 'RenewLink', orderId: 'ann', linkGeneration: 2, correctedBy: 'organizer' })
    .yields({ type: 'LinkRenewed', data: { orderId: 'ann', linkGeneration: 2, correctedBy: 'organizer' } }));
