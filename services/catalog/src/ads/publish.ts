import { AdApprovedV1, AdReadyV1, AdRefusedV1, AdRejectedV1 } from '@beltway/contracts/payments/ads';
import { outgoing, type Logged, type Outgoing } from '@beltway/event-store';
import type { AdEvent } from './events.ts';

/** The messages about new ads and about decisions by admins. */
export function publishAd(event: AdEvent & Logged): Outgoing[] {
  const { id: adId } = event;
  switch (event.type) {
    case 'AdBought':
      return [outgoing(event, AdReadyV1, { adId, paymentId: event.data.paymentId })];
    case 'AdApproved':
      return [outgoing(event, AdApprovedV1, { adId, paymentId: event.data.paymentId, until: event.data.until })];
    case 'AdRejected':
      return [outgoing(event, AdRejectedV1, { adId, paymentId: event.data.paymentId, reason: event.data.reason })];
    case 'AdRefused':
      return [outgoing(event, AdRefusedV1, { adId, ...event.data })];
    case 'AdSubmitted':
    case 'AdExtended':
    case 'AdEnded':
      return [];
  }
}
