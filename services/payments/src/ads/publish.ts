import { AdPaidV1 } from '@beltway/contracts/payments/ads';
import { outgoing, type Logged, type Outgoing, type Queries } from '@beltway/event-store';
import type { PaymentEvent } from '../payment/events.ts';
import { adOrdersById, hashOfKey } from './orders.ts';

/**
 * What the catalog hears of ads: that one is paid. What the business said of itself stays here, but for its name and the event's title. One
 * whose row is missing cannot be told, and is parked by the relay.
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
    if (!order) throw new Error(`nothing is known of who bought the ad ${of.id}`);
    const { packageId, businessName, eventTitle, linkKey, userId } = order;
    return outgoing(of, AdPaidV1, {
      ...{ adId: of.id, paymentId, packageId, amountCents, paidAt: of.occurredAt.toISOString(), userId },
      ...{ businessName, eventTitle, keyHash: hashOfKey(linkKey) },
    });
  });
}
