import { expect, test } from 'vitest';
import type { RefundRequestedV1, TicketPurchasedV1 } from '@beltway/contracts/ticketing/tickets';
import { whenRefundRequested, whenTicketPurchased } from './process.ts';

const id = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';
const requestId = 'b1b0f4d0-9d0b-4b6e-8e0a-0d6a4c9c7f11';
const envelope = { id, key: id, occurredAt: '2026-06-01T16:00:00.000Z', correlationId: id, causationId: id };
const order = { orderId: id, eventId: 7, quantity: 2, paymentId: 'pi_ann' };

test('a refund request without the id of a part is for the whole payment', () => {
  const data = { ...order, amountCents: 2_500, reason: 'too-late', requestId: null };
  const whole = { ...envelope, type: 'ticketing.refund-requested', version: 1, data } as RefundRequestedV1;
  expect(whenRefundRequested(whole)).toEqual({
    id,
    command: { type: 'RequestRefund', paymentId: 'pi_ann', amountCents: 2_500, reason: 'too-late' },
  });
  const part: RefundRequestedV1 = { ...whole, data: { ...data, requestId } };
  expect(whenRefundRequested(part)).toEqual({
    id,
    command: { type: 'RequestPartRefund', requestId, paymentId: 'pi_ann', cents: 2_500, reason: 'too-late' },
  });
});

test('sold tickets fulfill their payment; free tickets have no payment', () => {
  const bought = (totalCents: number) =>
    ({
      ...{ ...envelope, type: 'ticketing.ticket-purchased', version: 1 },
      data: { ...order, totalCents, buyerId: null },
    }) as TicketPurchasedV1;
  expect(whenTicketPurchased(bought(5_000))).toEqual({
    id,
    command: { type: 'RecordFulfillment', paymentId: 'pi_ann' },
  });
  expect(whenTicketPurchased(bought(0))).toBeNull();
});
