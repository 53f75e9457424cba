import { AdRefundedV1 } from '@beltway/contracts/ads';
import { LivestreamPaidV1 } from '@beltway/contracts/livestream';
import {
  DisputeClosedV1,
  DisputeOpenedV1,
  MoneyReinstatedV1,
  MoneyWithdrawnV1,
  PaymentFailedV1,
  PartRefundCoveredV1,
  PaymentPartlyRefundedV2,
  PaymentRefundedV1,
  PaymentSucceededV1,
  RefundFailedV1,
  RefundReversedV1,
  RefundReversedV2,
} from '@beltway/contracts/payments';
import { PromotionPaidV1 } from '@beltway/contracts/promotion';
import type { Logged, Outgoing } from '@beltway/event-store';
import type { Bought } from './bought.ts';
import type { PaymentEvent } from './events.ts';

/** What the world hears of payments, keyed by stream: what one payment went through arrives in its order. */
export const publishPayments = (events: Logged[]): Outgoing[] => events.flatMap((of) => message(of));

function message(of: Logged): Outgoing[] {
  const event = { type: of.type, data: of.data } as PaymentEvent;
  if (!('bought' in event.data)) return []; // ours alone
  const { bought } = event.data;
  if (bought.purpose === 'tickets') return aboutTickets(of, event, bought);
  if (bought.purpose === 'ad') return aboutAd(of, event);
  if (event.type !== 'PaymentSucceeded' || event.data.isUnderpaid) return [];
  const paid = { ...event.data, ...bought, promotionId: of.id };
  switch (bought.purpose) {
    case 'promotion': {
      const { data, type, version } = PromotionPaidV1.shape;
      return [{ of, type: type.value, version: version.value, data: data.parse(paid) }];
    }
    case 'livestream': {
      const { data, type, version } = LivestreamPaidV1.shape;
      return [{ of, type: type.value, version: version.value, data: data.parse(paid) }];
    }
  }
}

/** What the catalog hears of an ad that it serves: that nobody pays for it any more. That one is paid `publishAds` says. */
function aboutAd(of: Logged, event: PaymentEvent): Outgoing[] {
  const isLost = event.type === 'DisputeLost' && event.data.isWhole;
  if (!isLost && event.type !== 'PaymentRefunded') return [];
  const { data, type, version } = AdRefundedV1.shape;
  const { paymentId } = event.data;
  const refunded = { adId: of.id, paymentId, cause: isLost ? 'dispute-lost' : 'refunded' };
  return [{ of, type: type.value, version: version.value, data: data.parse(refunded) }];
}

/** What ticketing hears, who know an order and its event. */
function aboutTickets(of: Logged, event: PaymentEvent, { orderId, eventId }: Tickets): Outgoing[] {
  const known = { ...event.data, orderId, eventId };
  switch (event.type) {
    case 'PaymentSucceeded': {
      const { data, type, version } = PaymentSucceededV1.shape;
      return [{ of, type: type.value, version: version.value, data: data.parse(known) }];
    }
    case 'PaymentFailed': {
      const { data, type, version } = PaymentFailedV1.shape;
      return [{ of, type: type.value, version: version.value, data: data.parse(known) }];
    }
    case 'PaymentRefunded': {
      const { data, type, version } = PaymentRefundedV1.shape;
      const refunded = { of, type: type.value, version: version.value, data: data.parse(known) };
      return event.data.unasked ? [refunded, withdrawn(of, known, 'refunded-by-provider')] : [refunded];
    }
    case 'PaymentPartlyRefunded': {
      const { data, type, version } = PaymentPartlyRefundedV2.shape;
      const part = data.parse({ ...known, requestId: event.data.requestId ?? null });
      return [{ of, type: type.value, version: version.value, data: part }];
    }
    case 'RefundReversed': {
      if (event.data.requestId !== undefined) {
        const { data, type, version } = RefundReversedV2.shape;
        return [{ of, type: type.value, version: version.value, data: data.parse(known) }];
      }
      // A part that was given back by hand was never said to have gone back for tickets.
      if (!event.data.isOwed) return [];
      const { data, type, version } = RefundReversedV1.shape;
      return [{ of, type: type.value, version: version.value, data: data.parse(known) }];
    }
    case 'RefundFailed':
      return event.data.isOwed ? [refundFailed(of, known, event.data)] : [];
    case 'RefundDelayed':
      return [refundFailed(of, known, event.data)];
    case 'PartRefundCovered': {
      const { data, type, version } = PartRefundCoveredV1.shape;
      return [{ of, type: type.value, version: version.value, data: data.parse(known) }];
    }
    case 'DisputeOpened': {
      const { data, type, version } = DisputeOpenedV1.shape;
      return [{ of, type: type.value, version: version.value, data: data.parse(known) }];
    }
    case 'DisputeLost': {
      const closed = disputeClosed(of, known, 'lost');
      // Also when a refund was asked for: it waited for the dispute, and will not be made any more.
      return event.data.isWhole ? [withdrawn(of, known, 'dispute-lost'), closed] : [closed];
    }
    case 'DisputeWon': {
      const { partCents, returnedCents, amountCents } = event.data;
      const closed = disputeClosed(of, known, 'won');
      // Only what was said to be gone is said to be back.
      if (partCents === 0 || returnedCents >= amountCents || returnedCents + partCents < amountCents) return [closed];
      const { data, type, version } = MoneyReinstatedV1.shape;
      const reinstated = data.parse({ ...known, reinstatedCents: partCents });
      return [{ of, type: type.value, version: version.value, data: reinstated }, closed];
    }
    case 'PaymentRequested':
    case 'PaymentProcessing':
    case 'PaymentCancelled':
    case 'OtherCurrencyReported':
    case 'UnderpaymentReported':
    case 'AlertResolved':
    case 'PaymentFulfilled':
    case 'RefundRequested':
    case 'PartRefundRequested':
    case 'ShareTransferred':
    case 'TransferReversed':
    case 'FeeReturned':
    case 'ShareDelayed':
    case 'ShareSettled':
    case 'ProviderFeeCharged':
      return []; // ours alone
  }
}

function refundFailed(of: Logged, facts: object, { requestId = null }: { requestId?: string | null }): Outgoing {
  const { data, type, version } = RefundFailedV1.shape;
  return { of, type: type.value, version: version.value, data: data.parse({ ...facts, requestId }) };
}

function disputeClosed(of: Logged, facts: object, outcome: DisputeClosedV1['data']['outcome']): Outgoing {
  const { data, type, version } = DisputeClosedV1.shape;
  return { of, type: type.value, version: version.value, data: data.parse({ ...facts, outcome }) };
}

type Tickets = Extract<Bought, { purpose: 'tickets' }>;

function withdrawn(of: Logged, facts: object, cause: MoneyWithdrawnV1['data']['cause']): Outgoing {
  const { data, type, version } = MoneyWithdrawnV1.shape;
  return { of, type: type.value, version: version.value, data: data.parse({ ...facts, cause }) };
}
