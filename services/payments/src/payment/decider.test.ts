import { test } from 'vitest';
import { scenarios } from '@beltway/event-store/testing';
import { payment } from './decider.ts';
import type { PaymentCommand, PaymentEvent, PaymentTerms } from './events.ts';

const given = scenarios(payment);

const orderId = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';
const paymentId = 'pi_ann';
const facts = { paymentId, orderId, eventId: 7, amountCents: 5_099 };
const terms: PaymentTerms = { ...facts, purpose: 'tickets', organiserId: 3, buyerId: 9 };
const split = { organiserId: 3, feeCents: 255 };

const requested: PaymentEvent = { type: 'PaymentRequested', data: { ...terms, clientSecret: 'sealed' } };
const forgotten: PaymentEvent = { type: 'PaymentRequested', data: { ...terms, clientSecret: null } };
const processing: PaymentEvent = { type: 'PaymentProcessing', data: facts };
const declined: PaymentEvent = { type: 'PaymentFailed', data: { ...facts, attempt: 'ch_1', code: 'card_declined' } };
const succeeded: PaymentEvent = { type: 'PaymentSucceeded', data: { ...facts, ...split } };
const cancelled: PaymentEvent = { type: 'PaymentCancelled', data: facts };
const fulfilled: PaymentEvent = { type: 'PaymentFulfilled', data: { orderId } };
const refundAsked: PaymentEvent = {
  type: 'RefundRequested',
  data: { orderId, reason: 'too-late', afterFulfilment: false, due: true },
};
const refundAskedEarly: PaymentEvent = {
  type: 'RefundRequested',
  data: { orderId, reason: 'too-late', afterFulfilment: false, due: false },
};
const refundFailed: PaymentEvent = { type: 'RefundFailed', data: { ...facts, refundId: 're_1', code: 'declined' } };
const refunded: PaymentEvent = { type: 'PaymentRefunded', data: { ...facts, ...split, refundId: 're_2' } };

const told = { paymentId, terms };
const request: PaymentCommand = { type: 'RequestPayment', terms, clientSecret: 'sealed' };
const success: PaymentCommand = { type: 'RecordSuccess', ...told, amountCents: 5_099 };
const decline = (attempt: string): PaymentCommand => ({
  type: 'RecordFailure',
  ...told,
  attempt,
  code: 'card_declined',
});
const cancellation: PaymentCommand = { type: 'RecordCancellation', ...told };
const work: PaymentCommand = { type: 'RecordProcessing', ...told };
const refund: PaymentCommand = { type: 'RequestRefund', orderId, paymentId, amountCents: 5_099, reason: 'too-late' };
const refundDone: PaymentCommand = { type: 'RecordRefund', ...told, refundId: 're_2', amountCents: 5_099 };
const fulfil: PaymentCommand = { type: 'RecordFulfilment', orderId, paymentId };

test('a payment is asked for once', () => given(requested).when(request).yields());
test('an order cannot be asked to be paid on other terms', () =>
  given(requested)
    .when({ ...request, terms: { ...terms, amountCents: 1 } })
    .rejects('payment-changed'));

test('a payment succeeds once, however often and by whom it is told', () => {
  given(requested).when(success).yields(succeeded);
  given(requested, succeeded).when(success).yields();
});
test('the platform keeps 5 %, to the cent', () =>
  given(requested)
    .when(success)
    .yields({ type: 'PaymentSucceeded', data: { ...facts, organiserId: 3, feeCents: 255 } }));
test('a declined card may be followed by a success', () => given(requested, declined).when(success).yields(succeeded));
test('a decline that is told after the success changes nothing', () =>
  given(requested, succeeded).when(decline('ch_1')).yields());
test('each declined attempt is told once', () => {
  given(requested).when(decline('ch_1')).yields(declined);
  given(requested, declined).when(decline('ch_1')).yields();
  given(requested, declined)
    .when(decline('ch_2'))
    .yields({ type: 'PaymentFailed', data: { ...facts, attempt: 'ch_2', code: 'card_declined' } });
});
test('a payment can be under way once more after a decline', () => {
  given(requested).when(work).yields(processing);
  given(requested, processing).when(work).yields();
  given(requested, processing, declined).when(work).yields(processing);
  given(requested, succeeded).when(work).yields();
});
test('what succeeded cannot be cancelled any more', () => given(requested, succeeded).when(cancellation).yields());
test('money that comes in spite of a cancellation is recorded', () =>
  given(requested, cancelled).when(success).yields(succeeded));
test('a cancelled payment takes no more declines', () => given(requested, cancelled).when(decline('ch_1')).yields());

test('what the provider tells of a payment we forgot is recorded with the payment', () => {
  given().when(success).yields(forgotten, succeeded);
  given().when(decline('ch_1')).yields(forgotten, declined);
  given().when(cancellation).yields(forgotten, cancelled);
  given(forgotten, succeeded).when(request).yields();
});
test('what is told of a payment nobody knows is refused', () =>
  given()
    .when({ ...success, terms: null })
    .rejects('unknown-payment'));
test('what is told of another intent is refused', () =>
  given(requested)
    .when({ ...success, paymentId: 'pi_other' })
    .rejects('other-intent'));

test('a refund of what was paid is due at once', () => given(requested, succeeded).when(refund).yields(refundAsked));
test('a refund asked for before the money is kept until the money comes', () => {
  given(requested).when(refund).yields(refundAskedEarly);
  given().when(refund).yields(refundAskedEarly);
  given(requested, cancelled).when(refund).yields(refundAskedEarly);
});
test('a refund is asked for once', () => given(requested, succeeded, refundAsked).when(refund).yields());
test('a refund tells whether the order had its tickets', () =>
  given(requested, succeeded, fulfilled)
    .when(refund)
    .yields({ type: 'RefundRequested', data: { ...refundAsked.data, afterFulfilment: true } }));
test('only the whole payment is refunded, and only of this order', () => {
  given(requested, succeeded)
    .when({ ...refund, amountCents: 1 })
    .rejects('refund-amount-differs');
  given(requested, succeeded)
    .when({ ...refund, paymentId: 'pi_other' })
    .rejects('other-intent');
});
test('money goes back once', () => {
  given(requested, succeeded, refundAsked).when(refundDone).yields(refunded);
  given(requested, succeeded, refundAsked, refunded)
    .when({ ...refundDone, refundId: 're_3' })
    .yields();
});
test('a refund made by hand at the provider is recorded, a part of one is not', () => {
  given(requested, succeeded).when(refundDone).yields(refunded);
  given(requested, succeeded)
    .when({ ...refundDone, amountCents: 99 })
    .rejects('partial-refund');
});
test('a refund that is told before its success brings the success with it', () =>
  given(requested).when(refundDone).yields(succeeded, refunded));
test('a refund the bank refused is recorded once, and may still be done', () => {
  const refused: PaymentCommand = { type: 'RecordRefundFailure', ...told, refundId: 're_1', code: 'declined' };
  given(requested, succeeded, refundAsked).when(refused).yields(refundFailed);
  given(requested, succeeded, refundAsked, refundFailed).when(refused).yields();
  given(requested, succeeded, refundAsked, refunded).when(refused).yields();
  given(requested, succeeded, refundAsked, refundFailed).when(refundDone).yields(refunded);
});

test('tickets are handed out once, for a payment we know', () => {
  given(requested, succeeded).when(fulfil).yields(fulfilled);
  given(requested, succeeded, fulfilled).when(fulfil).yields();
  given().when(fulfil).rejects('unknown-payment');
});
