import { AdPaidV1 } from '@beltway/contracts/payments/ads';
import { outgoing, type Logged, type Outgoing, type Queries } from '@beltway/event-store';
import type { PaymentEvent } from '../payment/events.ts';
import { adOrdersById, hashOfKey } from './orders.ts';

/**
 * Publishes paid ads to the catalog. The message contains only the business's name and the event's title; the buyer's
 * other details stay in payments. If the row of an ad is missing, the relay parks the log event, because the message
 * cannot be built.
 */
export async function publishAds(events: Logged[], db: Queries): Promise<Outgoing[]> {
  const paid = events.flatMap((of) => {
    const event = { type: of.type, data: of.data } as PaymentEvent;
    const isPaid = event.type === 'PaymentSucceeded' && !event.data.isUnderpaid;
    return isPaid && event.data.bought.purpose === 'ad' ? [{ of, ...event.data }] : [];
  });
  if (paid.length === 0) return [];
  const orders = await adOrdersById(
    db,
    paid.map(({ of }) => of.id),
  );
  return paid.map(({ of, paymentId, amountCents }) => {
    const order = orders.get(of.id);
    if (!order) throw new Error(`there is no order of the ad ${of.id}`);
    const { packageId, businessName, eventTitle, linkKey, userId } = order;
    return outgoing(of, AdPaidV1, {
      ...{ adId: of.id, paymentId, packageId, amountCents, paidAt: of.occurredAt.toISOString(), userId },
      ...{ businessName, eventTitle, keyHash: hashOfKey(linkKey) },
    });
  });
}
