import { describe, expect, test } from 'vitest';
import { scenarios } from '@beltway/event-store/testing';
import type { PaidLivestream } from '@beltway/contracts/catalog/livestream';
import type { Bought } from './bought.ts';
import { payment, sameBought } from './decider.ts';
import type { PaymentCommand, PaymentEvent, PaymentTerms } from './events.ts';

const given = scenarios(payment);

const orderId = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';
const paymentId = 'pi_ann';
const bought = { purpose: 'tickets', orderId, eventId: 7 } as const;
const facts = { paymentId, amountCents: 5_099, bought };
const terms: PaymentTerms = { ...facts, id: orderId, organizerId: 3, buyerId: 9 };
const split = { organizerId: 3, feeCents: 255 };

const requested: PaymentEvent = { type: 'PaymentRequested', data: { ...terms, clientSecret: 'sealed' } };
const forgotten: PaymentEvent = { type: 'PaymentRequested', data: { ...terms, clientSecret: null } };
const processing: PaymentEvent = { type: 'PaymentProcessing', data: facts };
const declined: PaymentEvent = { type: 'PaymentFailed', data: { ...facts, attempt: 'ch_1', code: 'card_declined' } };
const succeeded: PaymentEvent = { type: 'PaymentSucceeded', data: { ...facts, ...split } };
const canceled: PaymentEvent = { type: 'PaymentCanceled', data: facts };
const fulfilled: PaymentEvent = { type: 'PaymentFulfilled', data: {} };
const refundAsked: PaymentEvent = {
  type: 'RefundRequested',
  data: { reason: 'too-late', afterFulfillment: false, due: true },
};
const refundAskedEarly: PaymentEvent = {
  type: 'RefundRequested',
  data: { reason: 'too-late', afterFulfillment: false, due: false },
};
const refundFailed: PaymentEvent = {
  type: 'RefundFailed',
  data: { ...facts, refundId: 're_1', code: 'declined', isOwed: true },
};
const whole = { partCents: 5_099, partFeeCents: 255, returnedCents: 5_099 };
const refunded: PaymentEvent = { type: 'PaymentRefunded', data: { ...facts, ...split, refundId: 're_2', ...whole } };
const refundedByHand: PaymentEvent = {
  type: 'PaymentRefunded',
  data: { ...facts, ...split, refundId: 're_2', ...whole, unasked: true },
};
/** 1,000 of 5,099 cents, including 50 of the fee's 255. */
const partlyRefunded: PaymentEvent = {
  type: 'PaymentPartlyRefunded',
  data: { ...facts, organizerId: 3, refundId: 're_part', partCents: 1_000, partFeeCents: 50, returnedCents: 1_000 },
};
const reversed = (isOwed = true): PaymentEvent => ({
  type: 'RefundReversed',
  data: {
    ...{ ...facts, organizerId: 3, refundId: 're_2', code: 'expired_card', isOwed },
    ...{ partCents: 5_099, partFeeCents: 255, returnedCents: 0 },
  },
});
const disputeOpened: PaymentEvent = {
  type: 'DisputeOpened',
  data: { ...facts, disputeId: 'dp_1', disputedCents: 5_099, reason: 'fraudulent' },
};
const disputeLost: PaymentEvent = {
  type: 'DisputeLost',
  data: { ...facts, disputeId: 'dp_1', organizerId: 3, isWhole: true, ...whole, unasked: true },
};
const disputeWon: PaymentEvent = {
  type: 'DisputeWon',
  data: { ...facts, disputeId: 'dp_1', organizerId: 3, partCents: 0, partFeeCents: 0, returnedCents: 0 },
};

const update = { paymentId, terms };
const request: PaymentCommand = { type: 'RequestPayment', terms, clientSecret: 'sealed' };
const success: PaymentCommand = { type: 'RecordSuccess', ...update, amountCents: 5_099 };
const decline = (attempt: string): PaymentCommand => ({
  type: 'RecordFailure',
  ...update,
  attempt,
  code: 'card_declined',
});
const cancellation: PaymentCommand = { type: 'RecordCancellation', ...update };
const work: PaymentCommand = { type: 'RecordProcessing', ...update };
const refund: PaymentCommand = { type: 'RequestRefund', paymentId, amountCents: 5_099, reason: 'too-late' };
const refundDone: PaymentCommand = { type: 'RecordRefund', ...update, refundId: 're_2', amountCents: 5_099 };
const partDone: PaymentCommand = { type: 'RecordRefund', ...update, refundId: 're_part', amountCents: 1_000 };
const refundFails: PaymentCommand = {
  type: 'RecordRefundFailure',
  ...{ ...update, refundId: 're_2', code: 'expired_card', amountCents: 5_099 },
};
const dispute = (outcome: 'inquiry' | 'open' | 'won' | 'lost'): PaymentCommand => ({
  type: 'RecordDispute',
  ...{ ...update, disputeId: 'dp_1', amountCents: 5_099, reason: 'fraudulent', outcome },
});
const fulfill: PaymentCommand = { type: 'RecordFulfillment', paymentId };

test('a payment is requested once', () => given(requested).when(request).yields());
test('an order’s payment cannot be requested with different terms', () =>
  given(requested)
    .when({ ...request, terms: { ...terms, amountCents: 1 } })
    .rejects('payment-changed'));
test('none of the terms may change', () => {
  const changes: Array<Partial<PaymentTerms>> = [
    { paymentId: 'pi_other' },
    { organizerId: 4 },
    { buyerId: null },
    { bought: { ...bought, eventId: 8 } },
    { bought: { ...bought, orderId: paymentId } },
  ];
  for (const change of changes)
    given(requested)
      .when({ ...request, terms: { ...terms, ...change } })
      .rejects('payment-changed');
});
test('two purchases are the same if no field differs', () => {
  const livestream = {
    ...{ startTime: '2026-11-23T10:00:00.000Z', endTime: '2026-11-23T12:00:00.000Z', maxViewers: 500 },
    ...{ chatEnabled: true, recordingEnabled: true, eventStartsAt: null },
  };
  const promotion = { purpose: 'promotion', eventId: 7, level: 'featured' } as const;
  const stream = (change: object = {}) =>
    ({ purpose: 'livestream', eventId: 7, livestream: { ...livestream, ...change } }) as Bought;
  const pairs: Array<[Bought, Bought]> = [
    [promotion, { ...promotion, level: 'premium' }],
    [
      { purpose: 'ad', packageId: 'week' },
      { purpose: 'ad', packageId: 'month' },
    ],
    [stream(), stream({ startTime: '2026-11-23T10:30:00.000Z' })],
    [stream(), stream({ endTime: '2026-11-23T12:30:00.000Z' })],
    [stream(), stream({ maxViewers: 1_000 })],
    [stream(), stream({ chatEnabled: false })],
    [stream(), stream({ recordingEnabled: false })],
    [stream(), stream({ eventStartsAt: '2026-11-23T10:00:00.000Z' })],
    [stream(), stream({ isUsual: true })],
  ];
  for (const [one, other] of pairs) {
    expect(sameBought(one, structuredClone(one))).toBe(true);
    expect(sameBought(one, other), JSON.stringify(other)).toBe(false);
  }
});

test('a live stream that was paid without a configuration can be configured once, and its payment records that configuration', () => {
  const usual = {
    ...{ startTime: '2026-11-23T10:00:00.000Z', endTime: '2026-11-23T12:00:00.000Z', maxViewers: 500 },
    ...{ chatEnabled: true, recordingEnabled: true, eventStartsAt: null },
  };
  const of = (livestream: PaidLivestream) => ({ purpose: 'livestream', eventId: 7, livestream }) as const;
  const asked = (livestream: PaidLivestream): PaymentEvent => ({
    type: 'PaymentRequested',
    data: { ...terms, organizerId: null, bought: of(livestream), clientSecret: null },
  });
  const configure: Extract<PaymentCommand, { type: 'ConfigureLivestream' }> = {
    ...{ type: 'ConfigureLivestream', paymentId: terms.paymentId },
    livestream: { ...usual, maxViewers: 40 },
  };
  const { paymentId: id, amountCents } = terms;
  const configured: PaymentEvent = {
    type: 'LivestreamConfigured',
    data: { paymentId: id, amountCents, bought: of({ ...usual, isUsual: true }), livestream: configure.livestream },
  };
  given(asked({ ...usual, isUsual: true }))
    .when(configure)
    .yields(configured);
  given(asked(usual)).when(configure).yields();
  given(asked({ ...usual, isUsual: true }), configured)
    .when({ ...configure, livestream: { ...usual, maxViewers: 50 } })
    .yields();
  given(asked({ ...usual, isUsual: true }), configured)
    .when(success)
    .yields({
      type: 'PaymentSucceeded',
      data: { paymentId: id, amountCents, organizerId: null, feeCents: amountCents, bought: of(configure.livestream) },
    });
  given(requested).when(configure).yields();
});

const later: PaymentEvent = {
  type: 'PaymentRequested',
  data: { ...terms, paymentId: 'pi_later', clientSecret: 'sealed' },
};
test('after its intent was canceled, an order is paid with a new intent', () => {
  given(requested, canceled)
    .when({ ...request, terms: { ...terms, paymentId: 'pi_later' } })
    .yields(later);
  given(requested, canceled).when(request).yields();
  given(requested, canceled, later)
    .when({ ...work, paymentId: 'pi_later' } as PaymentCommand)
    .yields({ type: 'PaymentProcessing', data: { ...facts, paymentId: 'pi_later' } });
});
test('late reports about a replaced intent change nothing; a report of money on a replaced intent is rejected', () => {
  for (const command of [work, decline('ch_1'), cancellation]) given(requested, canceled, later).when(command).yields();
  for (const command of [success, refundDone, dispute('open')])
    given(requested, canceled, later).when(command).rejects('other-intent');
});
test('a payment is canceled once', () => given(requested, canceled).when(cancellation).yields());

test('a payment succeeds once, however often and in whatever way the success is reported', () => {
  given(requested).when(success).yields(succeeded);
  given(requested, succeeded).when(success).yields();
});
test('the platform keeps 5 %, to the cent', () =>
  given(requested)
    .when(success)
    .yields({ type: 'PaymentSucceeded', data: { ...facts, organizerId: 3, feeCents: 255 } }));
test('a declined card may be followed by a success', () => given(requested, declined).when(success).yields(succeeded));
test('a decline that is reported after the success changes nothing', () =>
  given(requested, succeeded).when(decline('ch_1')).yields());
test('each declined attempt is recorded once', () => {
  given(requested).when(decline('ch_1')).yields(declined);
  given(requested, declined).when(decline('ch_1')).yields();
  given(requested, declined)
    .when(decline('ch_2'))
    .yields({ type: 'PaymentFailed', data: { ...facts, attempt: 'ch_2', code: 'card_declined' } });
});
test('a payment can be in processing again after a decline', () => {
  given(requested).when(work).yields(processing);
  given(requested, processing).when(work).yields();
  given(requested, processing, declined).when(work).yields(processing);
  given(requested, succeeded).when(work).yields();
});
test('a payment that succeeded cannot be canceled', () => given(requested, succeeded).when(cancellation).yields());
test('money that arrives after a cancellation is recorded', () =>
  given(requested, canceled).when(success).yields(succeeded));
test('a canceled payment ignores further declines', () => given(requested, canceled).when(decline('ch_1')).yields());

test('a report about an unrecorded payment is recorded together with the payment', () => {
  given().when(success).yields(forgotten, succeeded);
  given().when(decline('ch_1')).yields(forgotten, declined);
  given().when(cancellation).yields(forgotten, canceled);
  given(forgotten, succeeded).when(request).yields();
});
test('whatever the first report about an unrecorded payment is, it is recorded together with the payment', () => {
  given().when(work).yields(forgotten, processing);
  given().when(refundDone).yields(forgotten, succeeded, refundedByHand);
  given().when(dispute('open')).yields(forgotten, succeeded, disputeOpened);
  given().when(dispute('won')).yields(forgotten, succeeded, disputeOpened, disputeWon);
});
test('a charge with a destination transfers the organizer’s share when it succeeds', () => {
  const destined = { ...terms, destination: 'acct_3' };
  given({ type: 'PaymentRequested', data: { ...destined, clientSecret: null } })
    .when(success)
    .yields(succeeded, {
      type: 'ShareTransferred',
      data: { ...facts, organizerId: 3, transferId: null, destination: 'acct_3', cents: 4_844 },
    });
});
test('a fee returned to the organizer is recorded once', () => {
  const back = { feeRefundId: 'fr_1', cents: 50 };
  const returned: PaymentEvent = { type: 'FeeReturned', data: { ...facts, organizerId: 3, ...back } };
  given(requested, succeeded)
    .when({ type: 'RecordFeeReturn', paymentId, ...back })
    .yields(returned);
  given(requested, succeeded, returned)
    .when({ type: 'RecordFeeReturn', paymentId, ...back })
    .yields();
});
test('a report about an unknown payment is rejected', () =>
  given()
    .when({ ...success, terms: null })
    .rejects('unknown-payment'));
test('a report about another intent is rejected', () =>
  given(requested)
    .when({ ...success, paymentId: 'pi_other' })
    .rejects('other-intent'));

test('a refund of a paid payment is due now', () => given(requested, succeeded).when(refund).yields(refundAsked));
test('a refund requested before the payment waits for the payment', () => {
  given(requested).when(refund).yields(refundAskedEarly);
  given().when(refund).yields(refundAskedEarly);
  given(requested, canceled).when(refund).yields(refundAskedEarly);
});
test('a refund is requested once', () => given(requested, succeeded, refundAsked).when(refund).yields());
test('a refund request records whether the order already had its tickets', () =>
  given(requested, succeeded, fulfilled)
    .when(refund)
    .yields({ type: 'RefundRequested', data: { reason: 'too-late', afterFulfillment: true, due: true } }));
test('a refund request must be for the whole payment and for this order', () => {
  given(requested, succeeded)
    .when({ ...refund, amountCents: 1 })
    .rejects('refund-amount-differs');
  given(requested, succeeded)
    .when({ ...refund, paymentId: 'pi_other' })
    .rejects('other-intent');
});
test('a refund is recorded once, however often it is reported', () => {
  given(requested, succeeded, refundAsked).when(refundDone).yields(refunded);
  given(requested, succeeded, refundAsked, refunded).when(refundDone).yields();
});
test('a refund that is reported before the payment’s success also records the success', () =>
  given(requested).when(refundDone).yields(succeeded, refundedByHand));
test('a refund that the bank refused is recorded once, and may still succeed', () => {
  const refused: PaymentCommand = {
    type: 'RecordRefundFailure',
    ...{ ...update, refundId: 're_1', code: 'declined', amountCents: 5_099 },
  };
  given(requested, succeeded, refundAsked).when(refused).yields(refundFailed);
  given(requested, succeeded, refundAsked, refundFailed).when(refused).yields();
  given(requested, succeeded, refundAsked, refundFailed).when(refundDone).yields(refunded);
});

test('a refund that failed after it had succeeded is owed again', () => {
  given(requested, succeeded, refundAsked, refunded).when(refundFails).yields(reversed());
  given(requested, succeeded, refundAsked, refunded, reversed()).when(refundFails).yields();
});
test('a reversal returns the recorded amount, whatever amount the provider reports', () => {
  const fails = { ...refundFails, amountCents: 4_000 } as PaymentCommand;
  given(requested, succeeded, refundAsked, refunded).when(fails).yields(reversed());
});
test('a failed refund is owed again only if we still have money of the payment', () => {
  const twice = { ...whole, returnedCents: 10_198 };
  const lost: PaymentEvent = { ...disputeLost, data: { ...disputeLost.data, isWhole: false, ...twice } as never };
  given(requested, succeeded, refundAsked, refunded, disputeOpened, lost)
    .when(refundFails)
    .yields({
      type: 'RefundReversed',
      // The platform bears everything beyond the payment.
      data: { ...reversed(false).data, partFeeCents: 5_099, returnedCents: 5_099 } as never,
    });
});
test('after a reversal another refund returns the money, and the first cannot succeed late', () => {
  given(requested, succeeded, refundAsked, refunded, reversed()).when(refundDone).yields();
  given(requested, succeeded, refundAsked, refunded, reversed())
    .when({ ...refundDone, refundId: 're_4' })
    .yields({ type: 'PaymentRefunded', data: { ...facts, ...split, refundId: 're_4', ...whole } });
});
test('a refund whose failure is reported first is never recorded as done', () => {
  given(requested, succeeded)
    .when(refundFails)
    .yields({ type: 'RefundFailed', data: { ...facts, refundId: 're_2', code: 'expired_card' } });
  given(requested, succeeded, { type: 'RefundFailed', data: { ...facts, refundId: 're_2', code: 'expired_card' } })
    .when(refundDone)
    .yields();
});
test('a refund that we did not request is marked, so that the tickets are returned', () => {
  given(requested, succeeded, fulfilled).when(refundDone).yields(refundedByHand);
  given(requested, succeeded, fulfilled, refundedByHand)
    .when({ ...refund, reason: 'refunded-by-provider' })
    .yields({
      type: 'RefundRequested',
      data: { reason: 'refunded-by-provider', afterFulfillment: true, due: false },
    });
});

test('a partial refund by hand is recorded with its share of the fee', () => {
  given(requested, succeeded).when(partDone).yields(partlyRefunded);
  given(requested, succeeded, partlyRefunded).when(partDone).yields();
});
test('parts that add up to the whole are a whole refund', () =>
  given(requested, succeeded, partlyRefunded)
    .when({ ...refundDone, amountCents: 4_099 })
    .yields({
      type: 'PaymentRefunded',
      data: {
        ...{ ...facts, ...split, refundId: 're_2', partCents: 4_099, partFeeCents: 205, returnedCents: 5_099 },
        unasked: true,
      },
    }));
test('the money of a failed partial refund by hand is ours again, and we do not owe it', () =>
  given(requested, succeeded, partlyRefunded)
    .when({ ...refundFails, refundId: 're_part', amountCents: 1_000 } as PaymentCommand)
    .yields({
      type: 'RefundReversed',
      data: {
        ...{ ...facts, organizerId: 3, refundId: 're_part', code: 'expired_card', isOwed: false },
        ...{ partCents: 1_000, partFeeCents: 50, returnedCents: 0 },
      },
    }));
test('a partial refund that failed after the whole payment had been returned is owed', () =>
  given(requested, succeeded, refundAsked, partlyRefunded, {
    type: 'PaymentRefunded',
    data: { ...facts, ...split, refundId: 're_2', partCents: 4_099, partFeeCents: 205, returnedCents: 5_099 },
  })
    .when({ ...refundFails, refundId: 're_part', amountCents: 1_000 } as PaymentCommand)
    .yields({
      type: 'RefundReversed',
      data: {
        ...{ ...facts, organizerId: 3, refundId: 're_part', code: 'expired_card', isOwed: true },
        ...{ partCents: 1_000, partFeeCents: 50, returnedCents: 4_099 },
      },
    }));
test('a refund after a lost dispute took everything counts as partial, and does not complete the return twice', () =>
  given(requested, succeeded, disputeOpened, disputeLost)
    .when(refundDone)
    .yields({
      type: 'PaymentPartlyRefunded',
      data: { ...facts, organizerId: 3, refundId: 're_2', ...whole, partFeeCents: 5_099, returnedCents: 10_198 },
    }));
test('after a partial refund, the rest is due when ticketing requests a refund', () =>
  given(requested, succeeded, partlyRefunded).when(refund).yields(refundAsked));

test('a dispute is recorded once; its outcome is final', () => {
  given(requested, succeeded).when(dispute('open')).yields(disputeOpened);
  given(requested, succeeded, disputeOpened).when(dispute('open')).yields();
  given(requested, succeeded, disputeOpened).when(dispute('won')).yields(disputeWon);
  given(requested, succeeded, disputeOpened, disputeWon).when(dispute('open')).yields();
  given(requested, succeeded, disputeOpened, disputeWon).when(dispute('lost')).yields();
  given(requested, succeeded, disputeOpened, disputeLost).when(dispute('lost')).yields();
  given(requested, succeeded, disputeOpened, disputeLost).when(dispute('open')).yields();
});
test('a lost dispute takes the money, and is marked, so that the tickets are returned', () =>
  given(requested, succeeded, disputeOpened).when(dispute('lost')).yields(disputeLost));
test('a dispute that is first reported after its end is recorded completely', () =>
  given(requested).when(dispute('lost')).yields(succeeded, disputeOpened, disputeLost));
test('if a lost dispute is won after all, the money comes back', () =>
  given(requested, succeeded, disputeOpened, disputeLost)
    .when(dispute('won'))
    .yields({
      type: 'DisputeWon',
      data: {
        ...{ ...facts, disputeId: 'dp_1', organizerId: 3 },
        ...{ partCents: 5_099, partFeeCents: 255, returnedCents: 0 },
      },
    }));
test('after a lost dispute over the rest, nothing of a partly refunded payment is left', () =>
  given(requested, succeeded, partlyRefunded, disputeOpened)
    .when({ ...dispute('lost'), amountCents: 4_099 } as PaymentCommand)
    .yields({
      type: 'DisputeLost',
      data: {
        ...{ ...facts, disputeId: 'dp_1', organizerId: 3, isWhole: true, unasked: true },
        ...{ partCents: 4_099, partFeeCents: 205, returnedCents: 5_099 },
      },
    }));
test('an inquiry becomes a dispute once, or is closed without money', () => {
  const inquiry: PaymentEvent = {
    type: 'DisputeOpened',
    data: { ...disputeOpened.data, isInquiry: true },
  } as PaymentEvent;
  given(requested, succeeded).when(dispute('inquiry')).yields(inquiry);
  given(requested, succeeded, inquiry).when(dispute('inquiry')).yields();
  given(requested, succeeded, inquiry).when(dispute('open')).yields(disputeOpened);
  given(requested, succeeded, inquiry, disputeOpened).when(dispute('open')).yields();
  given(requested, succeeded, inquiry, disputeOpened).when(dispute('inquiry')).yields();
  given(requested, succeeded, inquiry).when(dispute('lost')).yields(disputeLost);
  given(requested, succeeded, inquiry).when(dispute('won')).yields(disputeWon);
  given(requested, succeeded, inquiry, disputeWon).when(dispute('open')).yields();
});
test('cents that a dispute takes beyond the payment are the platform’s loss, not the organizer’s', () => {
  const above = { ...dispute('lost'), amountCents: 6_000 } as PaymentCommand;
  // The fee of 255 cents, and 901 cents that were never paid.
  const lost: PaymentEvent = {
    type: 'DisputeLost',
    data: {
      ...{ ...facts, disputeId: 'dp_1', organizerId: 3, isWhole: true, unasked: true },
      ...{ partCents: 6_000, partFeeCents: 1_156, returnedCents: 6_000 },
    },
  };
  given(requested, succeeded, disputeOpened).when(above).yields(lost);
  given(requested, succeeded, disputeOpened, lost)
    .when(dispute('won'))
    .yields({
      type: 'DisputeWon',
      data: {
        ...{ ...facts, disputeId: 'dp_1', organizerId: 3 },
        ...{ partCents: 6_000, partFeeCents: 1_156, returnedCents: 0 },
      },
    });
});
test('a dispute lost after the whole was refunded takes nothing more from the organizer', () =>
  given(requested, succeeded, refundAsked, refunded, disputeOpened)
    .when(dispute('lost'))
    .yields({
      type: 'DisputeLost',
      data: {
        ...{ ...facts, disputeId: 'dp_1', organizerId: 3, isWhole: false },
        ...{ partCents: 5_099, partFeeCents: 5_099, returnedCents: 10_198 },
      },
    }));

test('refunds and disputes of an unknown payment are rejected', () => {
  for (const command of [refundDone, refundFails, dispute('open'), dispute('lost')])
    given()
      .when({ ...command, terms: null } as PaymentCommand)
      .rejects('unknown-payment');
});

test('tickets are handed out once, for a known payment', () => {
  given(requested, succeeded).when(fulfill).yields(fulfilled);
  given(requested, succeeded, fulfilled).when(fulfill).yields();
  given().when(fulfill).rejects('unknown-payment');
});

const partId = 'b1b0f4d0-9d0b-4b6e-8e0a-0d6a4c9c7f11';
const otherId = 'b1b0f4d0-9d0b-4b6e-8e0a-0d6a4c9c7f12';
const askPart = (requestId = partId, cents = 1_000): PaymentCommand => ({
  ...{ type: 'RequestPartRefund', requestId, paymentId, cents, reason: 'refunded-by-admin' },
});
const partAsked = (requestId = partId, cents = 1_000, askedCents?: number): PaymentEvent => ({
  type: 'PartRefundRequested',
  data: { requestId, cents, reason: 'refunded-by-admin', ...(askedCents !== undefined && { askedCents }) },
});
const partCovered = (requestId: string, askedCents: number): PaymentEvent => ({
  type: 'PartRefundCovered',
  data: { ...facts, requestId, askedCents, reason: 'refunded-by-admin' },
});
const partGone: PaymentEvent = {
  ...partlyRefunded,
  data: { ...partlyRefunded.data, requestId: partId },
} as PaymentEvent;
const restGone: PaymentEvent = {
  type: 'PaymentRefunded',
  data: { ...facts, ...split, refundId: 're_2', partCents: 4_099, partFeeCents: 205, returnedCents: 5_099 },
};
const partFails = (requestId?: string): PaymentCommand => ({
  ...{ type: 'RecordRefundFailure', ...update, refundId: 're_part', code: 'declined', amountCents: 1_000 },
  ...(requestId !== undefined && { requestId }),
});
const delay = (requestId?: string): PaymentCommand => ({
  ...{ type: 'RecordRefundDelay', paymentId, tries: 10 },
  ...(requestId !== undefined && { requestId }),
});
const delayed = (cents: number, requestId?: string): PaymentEvent => ({
  type: 'RefundDelayed',
  data: { ...facts, cents, tries: 10, ...(requestId !== undefined && { requestId }) },
});

test('an underpayment is booked with the amount received, and staff are alerted', () =>
  given(requested)
    .when({ ...success, amountCents: 5_000 } as PaymentCommand)
    .yields(
      { type: 'PaymentSucceeded', data: { ...facts, amountCents: 5_000, organizerId: 3, feeCents: 250 } },
      { type: 'UnderpaymentReported', data: { ...facts, paidCents: 5_000 } },
    ));

test('an underpayment for one of the platform’s own products buys nothing and is refunded once', () => {
  const bought = { purpose: 'promotion', eventId: 7, level: 'featured' } as const;
  const own: PaymentEvent = {
    type: 'PaymentRequested',
    data: { ...terms, bought, organizerId: null, clientSecret: 'sealed' },
  };
  const less: PaymentCommand = { type: 'RecordSuccess', paymentId, terms: null, amountCents: 5_098 };
  const paid: PaymentEvent = {
    type: 'PaymentSucceeded',
    data: { ...facts, bought, amountCents: 5_098, organizerId: null, feeCents: 5_098, isUnderpaid: true },
  };
  const reported: PaymentEvent = { type: 'UnderpaymentReported', data: { ...facts, bought, paidCents: 5_098 } };
  const back: PaymentEvent = {
    type: 'RefundRequested',
    data: { reason: 'underpaid', afterFulfillment: false, due: true },
  };
  given(own).when(less).yields(paid, reported, back);
  given(own, paid, reported, back).when(less).yields();
  // The refund was requested before the payment arrived.
  given(own, refundAskedEarly).when(less).yields(paid, reported);
});

test('a partial refund above the remaining amount returns the remaining amount, and a repeat changes nothing', () => {
  given(requested, succeeded, partlyRefunded)
    .when(askPart(partId, 4_500))
    .yields(partAsked(partId, 4_099, 4_500));
  given(requested, succeeded, partlyRefunded, partAsked(partId, 4_099, 4_500))
    .when(askPart(partId, 4_500))
    .yields();
  given(requested, succeeded, partlyRefunded, partAsked(partId, 4_099, 4_500))
    .when(askPart(partId, 4_099))
    .rejects('refund-changed');
});
test('a partial refund is requested once, for this payment only, and not after a refund of the whole payment was requested', () => {
  given(requested, succeeded, partAsked()).when(askPart()).yields();
  given(requested, succeeded, refundAsked).when(askPart()).yields();
  given(requested, succeeded)
    .when({ ...askPart(), paymentId: 'pi_other' } as PaymentCommand)
    .rejects('other-intent');
});
test('a partial refund requested when nothing is left counts as covered by the refunds made by hand', () => {
  given(requested, succeeded, refundedByHand).when(askPart()).yields(partCovered(partId, 1_000));
  given(requested, succeeded, partlyRefunded, partAsked(partId, 4_099))
    .when(askPart(otherId))
    .yields(partCovered(otherId, 1_000));
  given(requested, succeeded, refundedByHand, partCovered(partId, 1_000)).when(askPart()).yields();
  // A covered part does not block another request.
  given(requested, succeeded, refundedByHand, partCovered(partId, 1_000), reversed())
    .when(askPart(otherId, 5_099))
    .yields(partAsked(otherId, 5_099));
});
test('a covered part is owed again, up to the remainder, when the covering refund fails; not if the whole refund was requested', () => {
  const cents = (n: number): PaymentEvent => ({
    type: 'PartRefundRequested',
    data: { requestId: partId, cents: n, reason: 'refund-reversed' },
  });
  given(requested, succeeded, refundedByHand, partCovered(partId, 1_000))
    .when(refundFails)
    .yields(reversed(), cents(1_000));
  given(requested, succeeded, partAsked(otherId, 5_000), refundedByHand, partCovered(partId, 1_000))
    .when(refundFails)
    .yields(reversed(), { ...cents(99), data: { ...cents(99).data, askedCents: 1_000 } } as PaymentEvent);
  given(requested, succeeded, refundedByHand, partCovered(partId, 1_000), refundAsked)
    .when(refundFails)
    .yields(reversed());
});
const restByHand: PaymentEvent = { ...restGone, data: { ...restGone.data, unasked: true } } as PaymentEvent;
const owedAgain = (requestId: string, cents: number, more: object = {}): PaymentEvent => ({
  type: 'PartRefundRequested',
  data: { requestId, cents, reason: 'refund-reversed', ...more },
});
/** Only the 1,000 cents of `re_part` come back to us. */
const partReversed = (more: object = {}): PaymentEvent => ({
  type: 'RefundReversed',
  data: {
    ...{ ...facts, organizerId: 3, refundId: 're_part', code: 'declined', isOwed: true, ...more },
    ...{ partCents: 1_000, partFeeCents: 50, returnedCents: 4_099 },
  },
});
test('a covered part is owed again only up to the amount that came back', () =>
  given(requested, succeeded, partlyRefunded, restByHand, partCovered(partId, 5_000))
    .when(partFails())
    .yields(partReversed(), owedAgain(partId, 1_000, { askedCents: 5_000 })));
test('money that comes back covers the parts again in order, and none if it is from the refund of another part', () => {
  const third = 'b1b0f4d0-9d0b-4b6e-8e0a-0d6a4c9c7f13';
  const covered = [partCovered(partId, 600), partCovered(otherId, 600), partCovered(third, 600)];
  given(requested, succeeded, partlyRefunded, restByHand, ...covered)
    .when(partFails())
    .yields(partReversed(), owedAgain(partId, 600), owedAgain(otherId, 400, { askedCents: 600 }));
  given(requested, succeeded, partAsked(), partGone, restByHand, partCovered(otherId, 600))
    .when(partFails())
    .yields(partReversed({ isOwed: false, requestId: partId }));
});
test('a partial refund of zero, of more than was paid, or of an unpaid payment is rejected', () => {
  given(requested, succeeded).when(askPart(partId, 5_100)).rejects('refund-exceeds-payment');
  for (const cents of [0, -1, 0.5]) given(requested, succeeded).when(askPart(partId, cents)).rejects('bad-amount');
  given(requested).when(askPart()).rejects('not-paid');
});

test('a refund that the bank refuses before it was done is owed: the whole payment or the refunded part', () => {
  const failure = (more: object): PaymentEvent => ({
    type: 'RefundFailed',
    data: { ...facts, refundId: 're_part', code: 'declined', ...more },
  });
  given(requested, succeeded, partAsked())
    .when(partFails(partId))
    .yields(failure({ isOwed: true, requestId: partId }));
  given(requested, succeeded, partAsked(), refundAsked)
    .when(partFails(partId))
    .yields(failure({ isOwed: true, requestId: partId }));
  given(requested, succeeded, refundAsked)
    .when(partFails())
    .yields(failure({ isOwed: true }));
});
test('a refused refund is not owed if it was not requested, or if another refund replaced it', () => {
  const failure = (more: object = {}): PaymentEvent => ({
    type: 'RefundFailed',
    data: { ...facts, refundId: 're_late', code: 'declined', ...more },
  });
  const late = (requestId?: string) => ({ ...partFails(requestId), refundId: 're_late' }) as PaymentCommand;
  given(requested, succeeded).when(late()).yields(failure());
  given(requested, succeeded).when(late('made-up-in-the-dashboard')).yields(failure());
  given(requested, succeeded, partAsked()).when(late()).yields(failure());
  given(requested, succeeded, partAsked(), partGone)
    .when(late(partId))
    .yields(failure({ requestId: partId }));
  given(requested, succeeded, partAsked(), partGone, refundAsked)
    .when(late(partId))
    .yields(failure({ requestId: partId }));
  given(requested, succeeded, refundAsked, refunded).when(late()).yields(failure());
});

test('if the refund of a part fails after the whole was requested, the failure is reported and the part is owed with the whole', () => {
  const back = (isOwed: boolean, returnedCents: number): PaymentEvent => ({
    type: 'RefundReversed',
    data: {
      ...{ ...facts, organizerId: 3, refundId: 're_part', code: 'declined', isOwed, requestId: partId },
      ...{ partCents: 1_000, partFeeCents: 50, returnedCents },
    },
  });
  given(requested, succeeded, partAsked(), partGone, refundAsked).when(partFails()).yields(back(false, 0));
  given(requested, succeeded, partAsked(), partGone, refundAsked, restGone).when(partFails()).yields(back(true, 4_099));
});

test('staff are alerted once about a delayed refund of the whole payment, and once about each delayed part', () => {
  given(requested, succeeded, refundAsked).when(delay()).yields(delayed(5_099));
  given(requested, succeeded, refundAsked, delayed(5_099)).when(delay()).yields();
  given(requested, succeeded, partAsked(), partAsked(otherId, 500), delayed(1_000, partId))
    .when(delay(otherId))
    .yields(delayed(500, otherId));
  given(requested, succeeded, partAsked(), delayed(1_000, partId)).when(delay(partId)).yields();
});
test('the alert about a delayed refund has the amount of the refund', () => {
  given(requested, succeeded, partlyRefunded, refundAsked).when(delay()).yields(delayed(4_099));
  given(requested, refundAskedEarly).when(delay()).yields(delayed(5_099));
  const less: PaymentEvent = { type: 'PaymentSucceeded', data: { ...facts, ...split, amountCents: 5_000 } };
  given(requested, less, refundAsked).when(delay()).yields(delayed(5_000));
});
test('a refund that is done or waits for a dispute raises no alert', () => {
  given(requested, succeeded, refundAsked, refunded).when(delay()).yields();
  given(requested, succeeded, partAsked(), partGone).when(delay(partId)).yields();
  given(requested, succeeded, refundedByHand, partCovered(partId, 1_000)).when(delay(partId)).yields();
  given(requested, succeeded, refundedByHand, partCovered(partId, 1_000), refundAsked, reversed())
    .when(delay(partId))
    .yields();
  given(requested, succeeded, refundAsked, disputeOpened).when(delay()).yields();
  given(requested, succeeded, refundAsked, disputeOpened, disputeWon).when(delay()).yields(delayed(5_099));
});

describe('a share that could not be moved', () => {
  const ready: PaymentEvent = {
    type: 'ShareTransferred',
    data: { ...facts, organizerId: 3, transferId: 'tr_1', destination: 'acct_3', cents: 4_844 },
  };
  const shareDelay: PaymentCommand = { type: 'RecordShareDelay', paymentId, tries: 6 };
  const wait = (way: 'transfer' | 'reversal', cents: number, n = 1): PaymentEvent => ({
    type: 'ShareDelayed',
    data: { ...facts, organizerId: 3, way, subject: `${paymentId}-${n}`, cents, tries: 6 },
  });
  const settled = (way: 'transfer' | 'reversal', n = 1): PaymentEvent => ({
    type: 'ShareSettled',
    data: { ...facts, organizerId: 3, way, subject: `${paymentId}-${n}` },
  });
  const takenBack = (cents: number): PaymentEvent => ({
    type: 'TransferReversed',
    data: { ...facts, organizerId: 3, reversalId: `trr_${cents}`, transferId: 'tr_1', cents },
  });
  const takeBack = (cents: number): PaymentCommand => ({
    ...{ type: 'RecordReversal', paymentId, reversalId: `trr_${cents}`, transferId: 'tr_1', cents },
  });
  const gone = [requested, succeeded, ready, refundAsked, refunded];

  test('is reported once, with the amount that must come back', () => {
    given(...gone)
      .when(shareDelay)
      .yields(wait('reversal', 4_844));
    given(...gone, wait('reversal', 4_844))
      .when(shareDelay)
      .yields();
    given(...gone, takenBack(4_844))
      .when(shareDelay)
      .yields();
  });
  test('ends only when the whole amount was moved', () => {
    given(...gone, wait('reversal', 4_844))
      .when(takeBack(4_000))
      .yields(takenBack(4_000));
    given(...gone, wait('reversal', 4_844), takenBack(4_000))
      .when(takeBack(844))
      .yields(takenBack(844), settled('reversal'));
  });
  test('ends when the refunded money comes back to us, because nothing has to be taken back then', () => {
    given(...gone, wait('reversal', 4_844))
      .when(refundFails)
      .yields(reversed(), settled('reversal'));
    given(requested, succeeded, ready, disputeOpened, disputeLost, wait('reversal', 4_844))
      .when(dispute('won'))
      .yields(
        {
          type: 'DisputeWon',
          data: { ...facts, disputeId: 'dp_1', organizerId: 3, ...whole, returnedCents: 0 },
        },
        settled('reversal'),
      );
  });
  test('is reported again when it is delayed again', () =>
    given(...gone, wait('reversal', 4_844), reversed(), settled('reversal'), refunded)
      .when(shareDelay)
      .yields(wait('reversal', 4_844, 2)));
  test('is also reported when the organizer still has to receive it, unless a bank disputes the payment', () => {
    const pay: PaymentCommand = {
      ...{ type: 'RecordTransfer', paymentId, transferId: 'tr_1', destination: 'acct_3', cents: 4_844 },
    };
    given(requested, succeeded).when(shareDelay).yields(wait('transfer', 4_844));
    given(requested, succeeded, disputeOpened).when(shareDelay).yields();
    given(requested, succeeded, wait('transfer', 4_844)).when(pay).yields(ready, settled('transfer'));
    given(requested, succeeded, refundAsked, wait('transfer', 4_844))
      .when(refundDone)
      .yields(refunded, settled('transfer'));
  });
});

test('an alert is resolved once', () => {
  const resolve: PaymentCommand = {
    type: 'ResolveAlert',
    kind: 'other-currency',
    subject: 'pi_ann',
    note: 'Sent back',
  };
  const resolved: PaymentEvent = {
    type: 'AlertResolved',
    data: { kind: 'other-currency', subject: 'pi_ann', note: 'Sent back' },
  };
  given(requested).when(resolve).yields(resolved);
  given(requested, resolved).when(resolve).yields();
});

const euros = { ...update, amountCents: 5_099, currency: 'eur' };
const reportedEuros: PaymentEvent = {
  type: 'OtherCurrencyReported',
  data: { ...facts, amount: 5_099, currency: 'eur' },
};

test('a payment in another currency pays for nothing, and staff are alerted once', () => {
  given(requested)
    .when({ type: 'RecordSuccess', ...euros })
    .yields(reportedEuros);
  given(requested, reportedEuros)
    .when({ type: 'RecordSuccess', ...euros })
    .yields();
  given(requested, reportedEuros).when(success).yields(succeeded);
  given()
    .when({ type: 'RecordSuccess', ...euros })
    .yields(forgotten, reportedEuros);
});
test('money in US dollars counts', () =>
  given(requested)
    .when({ ...success, currency: 'usd' } as PaymentCommand)
    .yields(succeeded));
test('a refund in another currency does not prove that the payment succeeded', () => {
  given(requested)
    .when({ type: 'RecordRefund', refundId: 're_eur', ...euros })
    .yields(reportedEuros);
  given(requested, reportedEuros)
    .when({ type: 'RecordDispute', disputeId: 'dp_eur', reason: '', outcome: 'lost', ...euros })
    .yields();
});
