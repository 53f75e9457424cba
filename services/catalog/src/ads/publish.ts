import { AdApprovedV1, AdReadyV1, AdRefusedV1, AdRejectedV1 } from '@beltway/contracts/ads';
import type { Logged, Outgoing } from '@beltway/event-store';
import type { AdEvent } from './events.ts';

/** What the world hears of an ad: that it is there, and what an admin decided. */
export function publishAd(event: AdEvent & Logged): Outgoing[] {
  const { id: adId } = event;
  switch (event.type) {
    case 'AdBought':
      return [said(event, AdReadyV1, { adId, paymentId: event.data.paymentId })];
    case 'AdApproved':
      return [said(event, AdApprovedV1, { adId, paymentId: event.data.paymentId, until: event.data.until })];
    case 'AdRejected':
      return [said(event, AdRejectedV1, { adId, paymentId: event.data.paymentId, reason: event.data.reason })];
    case 'AdRefused':
      return [said(event, AdRefusedV1, { adId, ...event.data })];
    case 'AdSubmitted':
    case 'AdExtended':
    case 'AdEnded':
      return [];
  }
}

function said(
  of: Logged,
  { shape: { type, version, data } }: typeof AdReadyV1 | typeof AdApprovedV1 | typeof AdRefusedV1 | typeof AdRejectedV1,
  what: object,
): Outgoing {
  return { of, type: type.value, version: version.value, data: data.parse(what) };
}
