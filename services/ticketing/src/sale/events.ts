import type { OrderLine } from '@beltway/contracts/ticketing/order-lines';

/**
 * Events of one sale: the stock of one event's tickets. Stream `sale-<eventId>`. A hold takes stock for ten minutes. A
 * payment turns the hold into tickets. Without a payment the hold is released.
 */
export type SaleEvent =
  | { type: 'SaleOpened'; data: Terms }
  | { type: 'SaleChanged'; data: Terms }
  /**
   * Sales stop. The previous events in the stream released the open holds, except holds that may be paid right now.
   * Also appended if no sale has opened yet, so that a late message does not open it. `postponed`: until the event has
   * a date again; `suspended`: until the suspension ends.
   */
  | { type: 'SaleClosed'; data: { reason: CloseReason; catalogVersion: number } }
  | {
      type: 'TicketsHeld';
      data: {
        orderId: string;
        lines: OrderLine[];
        /** When the buyer began to hold tickets. If the quantity was changed, the start of the replaced hold. */
        at: string;
        until: string;
        buyerId: number | null;
        /**
         * Keyed hash of a guest's key (checkout/guests.ts). Missing if the buyer is an account, or a guest without a
         * key.
         */
        guest?: string;
        /** Whether the replaced hold was extended or declined. Missing: no. */
        extended?: true;
        declined?: true;
        /** The buyer may cancel until this many hours before the event begins; null: not at all. */
        refundDeadlineHours: number | null;
      };
    }
  /** After this event the order can be paid, because the client secret is returned then. */
  | { type: 'PaymentAttached'; data: { orderId: string; paymentId: string } }
  | { type: 'HoldExtended'; data: { orderId: string; until: string; reason: 'asked' | 'declined' | 'processing' } }
  | { type: 'HoldReleased'; data: { orderId: string; lines: OrderLine[]; reason: ReleaseReason } }
  | {
      type: 'TicketsSold';
      data: {
        orderId: string;
        lines: OrderLine[];
        paymentId: string;
        at: string;
        buyerId: number | null;
        /** One ticket per admission, in the order of the lines. Codes are unguessable (ticket/codes.ts). */
        tickets: Array<{ id: string; code: string }>;
        /**
         * The lines taken from the order's hold. Empty if the hold had ended, so that the tickets were taken from free
         * stock.
         */
        fromHold: OrderLine[];
      };
    }
  /** A payment succeeded, but its order gets no tickets for it. Payments refunds it. */
  | {
      type: 'PaymentNotFulfilled';
      data: {
        orderId: string;
        quantity: number;
        paymentId: string;
        /** The amount received; all of it is refunded. */
        amountCents: number;
        reason: NotFulfilledReason;
      };
    }
  /**
   * A payment was withdrawn at the provider before it bought anything. The payment buys nothing, even if its success is
   * reported later. If the order had a hold, the previous event in the stream released the hold.
   */
  | { type: 'MoneyWithdrawn'; data: { orderId: string; paymentId: string } }
  /**
   * Some or all tickets of a fulfilled order are returned: their stock is released. Their money is refunded, unless the
   * provider already refunded it.
   */
  | {
      type: 'TicketsReturned';
      data: {
        orderId: string;
        paymentId: string;
        reason: ReturnReason;
        /** The id of the refund. If the refund was not requested, the id of the order. */
        refundId: string;
        tickets: ReturnedTicket[];
        /** The sum of the returned tickets' prices. */
        amountCents: number;
        /** The order of the tickets. `standing`: after this event, the number of its tickets that were not returned. */
        order: { quantity: number; totalCents: number; standing: number; standingCents: number };
      };
    }
  /**
   * A bank disputes the order's payment. Until the dispute is decided, the tickets do not admit, and no ticket is
   * refunded on request.
   */
  | { type: 'OrderFrozen'; data: { orderId: string; disputeId: string; isFrozen: true } }
  /**
   * A dispute was lost, and a bank took money, of any amount. The tickets do not admit, unless the dispute is won
   * later, but they still count as sold. `isFrozen`: another dispute is open.
   */
  | { type: 'OrderVoided'; data: { orderId: string; disputeId: string; isFrozen: boolean } }
  /** A dispute was won, possibly after it was lost. `isFrozen`: another dispute is open; `isVoid`: another was lost. */
  | { type: 'OrderThawed'; data: { orderId: string; disputeId: string; isFrozen: boolean; isVoid?: true } }
  /** A guest's bought order was saved to an account, and its link was revoked. */
  | { type: 'OrderClaimed'; data: { orderId: string; quantity: number; buyerId: number; linkGeneration: number } }
  /**
   * The order's link was revoked and replaced by a new one. `correctedBy`: the role of the caller, if the reason was a
   * correction of the buyer's email address. No log contains email addresses.
   */
  | { type: 'LinkRenewed'; data: { orderId: string; linkGeneration: number; correctedBy?: Manager } };

/** Roles that manage orders of other people: the event's organizer, or an admin. */
export const MANAGERS = ['organizer', 'admin'] as const;
export type Manager = (typeof MANAGERS)[number];

/** Events that move money. Each of these events is published and may cause a mail. */
export const MONEY_EVENTS = ['TicketsSold', 'PaymentNotFulfilled', 'TicketsReturned'] as const satisfies Array<
  SaleEvent['type']
>;

export interface Terms {
  /** The number of tickets that the organizer offers. If the organizer lowers it, sold and held tickets stay valid. */
  capacity: number;
  priceCents: number;
  organizerId: number;
  /** UTC; null: no limit. */
  opensAt: string | null;
  closesAt: string | null;
  /** The time at which the event is over. */
  endsAt: string;
  /** The version of the catalog's stream from which these terms come. Terms with an older version are ignored. */
  catalogVersion: number;
  /** See `TicketsHeld`. */
  refundDeadlineHours: number | null;
}

/** A returned ticket. `place` is its position in the order, from 1. */
export interface ReturnedTicket {
  place: number;
  type: string;
  priceCents: number;
}

export const CLOSE_REASONS = ['canceled', 'postponed', 'suspended', 'withdrawn'] as const;
export type CloseReason = (typeof CLOSE_REASONS)[number];

/**
 * Why a payment got no tickets. `refunded-by-provider`: the payment was withdrawn; `underpaid`: it was below the price;
 * `order-lost`: the log was restored from a backup and does not contain the order (catch-up.ts).
 */
export const NOT_FULFILLED_REASONS = [
  'too-late',
  'event-canceled',
  'refunded-by-provider',
  'underpaid',
  'order-lost',
] as const;
export type NotFulfilledReason = (typeof NOT_FULFILLED_REASONS)[number];

/** Reasons for a refund that the event's organizer, an admin or the buyer requested. */
export const ASKED_REASONS = ['refunded-by-organizer', 'refunded-by-admin', 'canceled-by-buyer'] as const;
export type AskedReason = (typeof ASKED_REASONS)[number];

/** `refunded-by-provider`: the whole payment was refunded in the provider's dashboard. */
export const RETURN_REASONS = ['event-canceled', 'refunded-by-provider', ...ASKED_REASONS] as const;
export type ReturnReason = (typeof RETURN_REASONS)[number];

export const RELEASE_REASONS = [
  'given-back',
  'replaced',
  'expired',
  'payment-unavailable',
  'event-canceled',
  'event-postponed',
  'event-suspended',
  'money-withdrawn',
  'underpaid',
] as const;
export type ReleaseReason = (typeof RELEASE_REASONS)[number];
