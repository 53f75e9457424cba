import { expect, test } from 'vitest';
import {
  DisputeClosedV1,
  DisputeOpenedV1,
  MoneyReinstatedV1,
  MoneyWithdrawnV1,
  PaymentFailedV1,
  PaymentPartlyRefundedV1,
  PaymentRefundedV1,
  PaymentSucceededV1,
  PartRefundCoveredV1,
  RefundFailedV1,
  RefundReversedV1,
} from '@beltway/contracts/payments/payments';
import { AdRefundedV1 } from '@beltway/contracts/payments/ads';
import { LivestreamConfiguredV1, LivestreamPaidV1 } from '@beltway/contracts/catalog/livestream';
import { PromotionPaidV1, PromotionRefundedV1 } from '@beltway/contracts/catalog/promotion';
import { golden } from '@beltway/contracts/testing/golden';
import { messageOf, type Logged } from '@beltway/event-store';
import type { PaymentEvent } from './events.ts';
import { publishPayment } from './publish.ts';

const orderId = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';
const bought = { purpose: 'tickets', orderId, eventId: 7 } as const;
const facts = { paymentId: 'pi_3ann', bought, amountCents: 5_099 };
const said = { paymentId: 'pi_3ann', orderId, eventId: 7, amountCents: 5_099 };
const split = { organizerId: 3, feeCents: 255 };
const logged = (event: PaymentEvent, version: number): Logged => ({
  ...event,
  stream: `payment-${orderId}`,
  id: orderId,
  version,
  userId: null,
  correlationId: orderId,
  causationId: 'evt_1ann',
  occurredAt: new Date('2026-03-07T20:00:00.000Z'),
});
const whole = { partCents: 5_099, partFeeCents: 255, returnedCents: 5_099 };
const part = { partCents: 1_000, partFeeCents: 50, returnedCents: 1_000 };
const STREAM = {
  ...{ startTime: '2026-12-06T00:00:00.000Z', endTime: '2026-12-06T03:00:00.000Z', maxViewers: 500 },
  ...{ chatEnabled: true, recordingEnabled: false, eventStartsAt: '2026-12-06T00:00:00.000Z' },
};
const published: Array<[string, PaymentEvent, { parse(message: unknown): unknown }]> = [
  [
    'payments.payment-failed',
    { type: 'PaymentFailed', data: { ...facts, attempt: 'ch_1', code: 'insufficient_funds' } },
    PaymentFailedV1,
  ],
  ['payments.payment-succeeded', { type: 'PaymentSucceeded', data: { ...facts, ...split } }, PaymentSucceededV1],
  [
    'payments.payment-refunded',
    { type: 'PaymentRefunded', data: { ...facts, ...split, refundId: 're_3ann', ...whole } },
    PaymentRefundedV1,
  ],
  [
    'payments.payment-partly-refunded',
    { type: 'PaymentPartlyRefunded', data: { ...facts, organizerId: 3, refundId: 're_3ann', ...part } },
    PaymentPartlyRefundedV1,
  ],
  [
    'payments.promotion-paid',
    {
      type: 'PaymentSucceeded',
      data: {
        ...{ paymentId: 'pi_3ann', amountCents: 4_999, bought: { purpose: 'promotion', eventId: 7, level: 'premium' } },
        ...{ organizerId: null, feeCents: 4_999 },
      },
    },
    PromotionPaidV1,
  ],
  [
    'payments.livestream-paid',
    {
      type: 'PaymentSucceeded',
      data: {
        ...{ paymentId: 'pi_3ann', amountCents: 9_999, organizerId: null, feeCents: 9_999 },
        bought: {
          ...{ purpose: 'livestream', eventId: 7 },
          livestream: STREAM,
        },
      },
    },
    LivestreamPaidV1,
  ],
  [
    'payments.livestream-configured',
    {
      type: 'LivestreamConfigured',
      data: {
        ...{ paymentId: 'pi_3ann', amountCents: 9_999, livestream: { ...STREAM, maxViewers: 40 } },
        bought: { purpose: 'livestream', eventId: 7, livestream: { ...STREAM, isUsual: true } },
      },
    },
    LivestreamConfiguredV1,
  ],
  [
    'payments.refund-reversed',
    {
      type: 'RefundReversed',
      data: {
        ...{ ...facts, organizerId: 3, refundId: 're_3ann', code: 'expired_or_canceled_card', isOwed: true },
        ...{ ...part, returnedCents: 0 },
      },
    },
    RefundReversedV1,
  ],
  [
    'payments.ad-refunded',
    {
      type: 'DisputeLost',
      data: {
        ...{ paymentId: 'pi_3ann', amountCents: 4_999, bought: { purpose: 'ad', packageId: 'banner-7d' } },
        ...{ organizerId: null, disputeId: 'dp_3ann', isWhole: true, unasked: true },
        ...{ partCents: 4_999, partFeeCents: 4_999, returnedCents: 4_999 },
      },
    },
    AdRefundedV1,
  ],
  [
    'payments.promotion-refunded',
    {
      type: 'PaymentRefunded',
      data: {
        paymentId: 'pi_3ann',
        amountCents: 2_999,
        bought: { purpose: 'promotion', eventId: 7, level: 'featured' },
        ...{ organizerId: null, feeCents: 2_999, refundId: 're_3ann', ...whole },
      },
    },
    PromotionRefundedV1,
  ],
  [
    'payments.refund-failed',
    {
      type: 'RefundFailed',
      data: {
        ...{ ...facts, refundId: 're_3ann', code: 'declined', isOwed: true },
        requestId: 'b1b0f4d0-9d0b-4b6e-8e0a-0d6a4c9c7f11',
      },
    },
    RefundFailedV1,
  ],
  [
    'payments.part-refund-covered',
    {
      type: 'PartRefundCovered',
      data: {
        ...{ ...facts, askedCents: 1_000, reason: 'refunded-by-admin' },
        requestId: 'b1b0f4d0-9d0b-4b6e-8e0a-0d6a4c9c7f11',
      },
    },
    PartRefundCoveredV1,
  ],
  [
    'payments.dispute-opened',
    { type: 'DisputeOpened', data: { ...facts, disputeId: 'dp_3ann', disputedCents: 5_099, reason: 'fraudulent' } },
    DisputeOpenedV1,
  ],
  [
    'payments.dispute-closed',
    { type: 'DisputeWon', data: { ...facts, organizerId: 3, disputeId: 'dp_3ann', ...part, partCents: 0 } },
    DisputeClosedV1,
  ],
];

test('a dispute won after it was lost is published as `money-reinstated` and as `dispute-closed`', () => {
  const of = logged(
    {
      type: 'DisputeWon',
      data: { ...facts, organizerId: 3, disputeId: 'dp_3ann', partCents: 5_099, partFeeCents: 255, returnedCents: 0 },
    },
    2,
  );
  const messages = publishPayment(of);
  expect(messages.map(({ type }) => type)).toEqual(['payments.money-reinstated', 'payments.dispute-closed']);
  const message = MoneyReinstatedV1.parse(golden('payments.money-reinstated.v1'));
  expect(messageOf('payments.events', messages[0]!)).toMatchObject({ id: message.id, data: message.data });
});

test.each(published)('%s is written as its golden file', (name, event, schema) => {
  const of = logged(event, 2);
  const [one, ...others] = publishPayment(of);
  expect(others).toEqual([]);
  if (!one) throw new Error('nothing was published');
  const message = messageOf('payments.events', one);
  const file = `${name}.v${message.version}`;
  expect(message).toEqual(golden(file));
  expect(schema.parse(golden(file))).toEqual(message);
});

test('events about our own books are not published', () => {
  const ours: PaymentEvent[] = [
    {
      type: 'PartRefundRequested',
      data: { requestId: 'b1b0f4d0-9d0b-4b6e-8e0a-0d6a4c9c7f11', cents: 1_000, reason: 'asked' },
    },
    {
      type: 'PaymentRequested',
      data: { ...facts, id: orderId, organizerId: 3, buyerId: null, clientSecret: 'sealed' },
    },
    { type: 'PaymentProcessing', data: facts },
    { type: 'PaymentCanceled', data: facts },
    { type: 'OtherCurrencyReported', data: { ...facts, amount: 5_099, currency: 'eur' } },
    { type: 'UnderpaymentReported', data: { ...facts, paidCents: 5_000 } },
    // An underpaid promotion does not start.
    {
      type: 'PaymentSucceeded',
      data: {
        ...{ paymentId: 'pi_3ann', amountCents: 4_998, bought: { purpose: 'promotion', eventId: 7, level: 'premium' } },
        ...{ organizerId: null, feeCents: 4_998, isUnderpaid: true },
      },
    },
    { type: 'PaymentFulfilled', data: {} },
    { type: 'RefundRequested', data: { reason: 'too-late', afterFulfillment: false, due: true } },
    { type: 'RefundFailed', data: { ...facts, refundId: 're_1', code: 'declined' } },
    // A partial refund made by hand was never published as a refund, so its reversal is not published.
    {
      type: 'RefundReversed',
      data: { ...facts, organizerId: 3, refundId: 're_1', code: 'closed', isOwed: false, ...part },
    },
  ];
  expect(ours.map(logged).flatMap(publishPayment)).toEqual([]);
});

test('a refused or delayed refund of the whole payment is published without the id of a part', () => {
  const events: PaymentEvent[] = [
    { type: 'RefundFailed', data: { ...facts, refundId: 're_1', code: 'declined', isOwed: true } },
    { type: 'RefundDelayed', data: { ...facts, cents: 5_099, tries: 10 } },
  ];
  for (const message of events.map(logged).flatMap(publishPayment))
    expect(message).toMatchObject({ type: 'payments.refund-failed', version: 1, data: { ...said, requestId: null } });
  expect(events.map(logged).flatMap(publishPayment)).toHaveLength(2);
});

test('the organizer’s share and the fee are not published', () => {
  const [one] = publishPayment(logged({ type: 'PaymentSucceeded', data: { ...facts, ...split } }, 2));
  expect(one?.data).toEqual(said);
});

test('money that was refunded at the provider is published as refunded and as withdrawn, in this order', () => {
  const of = logged(
    { type: 'PaymentRefunded', data: { ...facts, ...split, refundId: 're_3ann', ...whole, unasked: true } },
    2,
  );
  const messages = publishPayment(of);
  expect(messages.map(({ type }) => type)).toEqual(['payments.payment-refunded', 'payments.money-withdrawn']);
  const message = MoneyWithdrawnV1.parse(golden('payments.money-withdrawn.v1'));
  expect(messageOf('payments.events', messages[1]!)).toMatchObject({ id: message.id, data: message.data });
});

/**
 * A requested refund waits while the dispute is open, and is not made after the dispute is lost. No other message then
 * reports that the money is gone.
 */
test.each([{ unasked: true as const }, {}])('a lost dispute withdraws the money (%o)', (asked) => {
  const lost: PaymentEvent = {
    type: 'DisputeLost',
    data: { ...facts, disputeId: 'dp_1', organizerId: 3, isWhole: true, ...asked, ...part },
  };
  expect(publishPayment(logged(lost, 2))).toMatchObject([
    { type: 'payments.money-withdrawn', data: { ...said, cause: 'dispute-lost' } },
    { type: 'payments.dispute-closed', data: { ...said, outcome: 'lost' } },
  ]);
});

test('a requested partial refund is published with its id', () => {
  const requestId = 'b1b0f4d0-9d0b-4b6e-8e0a-0d6a4c9c7f11';
  const event: PaymentEvent = {
    type: 'PaymentPartlyRefunded',
    data: { ...facts, organizerId: 3, refundId: 're_3ann', ...part, requestId },
  };
  expect(publishPayment(logged(event, 2))).toMatchObject([{ data: { ...said, requestId } }]);
  const reversal: PaymentEvent = {
    type: 'RefundReversed',
    data: {
      ...{ ...facts, organizerId: 3, refundId: 're_3ann', code: 'expired_or_canceled_card', isOwed: false },
      ...{ ...part, returnedCents: 0, requestId },
    },
  };
  expect(publishPayment(logged(reversal, 2))).toMatchObject([
    { type: 'payments.refund-reversed', data: { ...said, refundId: 're_3ann', partCents: 1_000, requestId } },
  ]);
});

test('the catalog is notified when the payment for an ad no longer counts: refunded as a whole, disputed, or partly lost', () => {
  const ad = { paymentId: 'pi_3ann', amountCents: 4_999, bought: { purpose: 'ad', packageId: 'banner-7d' } } as const;
  const events: PaymentEvent[] = [
    { type: 'PaymentPartlyRefunded', data: { ...ad, organizerId: null, refundId: 're_1', ...part } },
    {
      type: 'DisputeOpened',
      data: { ...ad, disputeId: 'dp_1', disputedCents: 1_000, reason: 'fraudulent', isInquiry: true },
    },
    { type: 'DisputeOpened', data: { ...ad, disputeId: 'dp_1', disputedCents: 1_000, reason: 'fraudulent' } },
    { type: 'DisputeLost', data: { ...ad, organizerId: null, disputeId: 'dp_1', isWhole: false, ...part } },
    {
      type: 'PaymentRefunded',
      data: { ...ad, organizerId: null, feeCents: 4_999, refundId: 're_2', ...whole, unasked: true },
    },
  ];
  expect(
    events
      .map(logged)
      .flatMap(publishPayment)
      .map(({ type, data }) => [type, data]),
  ).toEqual(
    (['disputed', 'dispute-lost', 'refunded'] as const).map((cause) => [
      'payments.ad-refunded',
      { adId: orderId, paymentId: 'pi_3ann', cause },
    ]),
  );
});

test('the catalog, but not ticketing, is notified when the payment for a promotion or a live stream no longer counts', () => {
  const promoted = {
    paymentId: 'pi_3ann',
    amountCents: 2_999,
    bought: { purpose: 'promotion', eventId: 7, level: 'featured' },
  } as const;
  const events: PaymentEvent[] = [
    { type: 'PaymentFailed', data: { ...promoted, attempt: 'ch_1', code: 'declined' } },
    {
      type: 'PaymentRefunded',
      data: { ...promoted, organizerId: null, feeCents: 2_999, refundId: 're_1', ...whole, unasked: true },
    },
    { type: 'PaymentPartlyRefunded', data: { ...promoted, organizerId: null, refundId: 're_2', ...part } },
    {
      type: 'DisputeOpened',
      data: { ...promoted, disputeId: 'dp_1', disputedCents: 2_999, reason: '', isInquiry: true },
    },
    { type: 'DisputeOpened', data: { ...promoted, disputeId: 'dp_1', disputedCents: 2_999, reason: '' } },
    { type: 'DisputeLost', data: { ...promoted, disputeId: 'dp_1', organizerId: null, isWhole: false, ...part } },
    { type: 'DisputeWon', data: { ...promoted, disputeId: 'dp_1', organizerId: null, ...part } },
  ];
  const facts = { promotionId: orderId, paymentId: 'pi_3ann', eventId: 7, level: 'featured', amountCents: 2_999 };
  expect(
    events
      .map(logged)
      .flatMap(publishPayment)
      .map(({ type, data }) => [type, data]),
  ).toEqual(
    (['refunded', 'disputed', 'dispute-lost'] as const).map((cause) => [
      'payments.promotion-refunded',
      { ...facts, cause },
    ]),
  );
  const livestream = { startTime: '2099-12-06T00:00:00.000Z', endTime: '2099-12-06T03:00:00.000Z', maxViewers: 5 };
  const streamed = {
    ...{ ...promoted, amountCents: 9_999 },
    bought: {
      ...({ purpose: 'livestream', eventId: 7 } as const),
      livestream: { ...livestream, chatEnabled: true, recordingEnabled: false, eventStartsAt: null },
    },
  } as const;
  const lost: PaymentEvent = {
    type: 'DisputeLost',
    data: { ...streamed, disputeId: 'dp_1', organizerId: null, isWhole: true, ...part },
  };
  expect(publishPayment(logged(lost, 1))[0]?.data).toEqual({
    ...{ ...facts, level: 'livestream', amountCents: 9_999, cause: 'dispute-lost' },
  });
});
