import type { OrderLine } from '@beltway/contracts/ticketing/order-lines';

/**
 * One sale: the stock of one event's tickets. Stream `sale-<eventId>`.
 * A hold takes stock for ten minutes; money turns it into tickets; without money it goes back.
 */
export type SaleEvent =
  | { type: 'SaleOpened'; data: Terms }
  | { type: 'SaleChanged'; data: Terms }
  /**
   * Nothing is sold any more; open holds were given back by the events before. Also before there was a sale, so that
   * none opens late. `postponed`: until the event has a date again; holds that may be paid right now stay.
   */
  | { type: 'SaleClosed'; data: { reason: CloseReason; catalogVersion: number } }
  | {
      type: 'TicketsHeld';
      data: {
        orderId: string;
        lines: OrderLine[];
        /** When its buyer began to hold: an order whose quantity was changed keeps the time of the one it replaced. */
        at: string;
        until: string;
        buyerId: number | null;
        /** Keyed hash of a guest's key (checkout/guests.ts). Missing: an account, or a guest without a key. */
        guest?: string;
        /** What the replaced hold had of more time. Missing: none. */
        extended?: true;
        declined?: true;
        /** What its buyer is promised: they may cancel until this many hours before the event begins; null: never. */
        refundDeadlineHours: number | null;
      };
    }
  /** From here on the order can be paid: the client secret is answered after this event. */
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
        /** One per admission, in the order of the lines. Codes are unguessable (ticket/codes.ts). */
        tickets: Array<{ id: string; code: string }>;
        /** What its hold gave: nothing when the hold was gone as the money came, and stock was taken again. */
        fromHold: OrderLine[];
      };
    }
  /** A payment succeeded for an order that gets no tickets for it. Payments refunds it. */
  | {
      type: 'PaymentNotFulfilled';
      data: {
        orderId: string;
        quantity: number;
        paymentId: string;
        /** What was received, which all goes back. */
        amountCents: number;
        reason: NotFulfilledReason;
      };
    }
  /**
   * The provider has taken a payment back that had bought nothing yet: it buys nothing any more, should its success be
   * heard of later. A hold that waited for it was given back by the event before.
   */
  | { type: 'MoneyWithdrawn'; data: { orderId: string; paymentId: string } }
  /**
   * Tickets of a fulfilled order end, all or some: their stock goes back, and their money, unless the provider took
   * that already.
   */
  | {
      type: 'TicketsReturned';
      data: {
        orderId: string;
        paymentId: string;
        reason: ReturnReason;
        /** The id of the refund; the order's where the refund was not requested. */
        refundId: string;
        tickets: ReturnedTicket[];
        /** The sum of the prices of these tickets. */
        amountCents: number;
        /** Their order; `standing`: its tickets that are not returned after this event. */
        order: { quantity: number; totalCents: number; standing: number; standingCents: number };
      };
    }
  /** A bank disputes the order's payment: until that is decided its tickets admit nobody, and none is refunded. */
  | { type: 'OrderFrozen'; data: { orderId: string; disputeId: string; isFrozen: true } }
  /**
   * A bank took money in a lost dispute, whatever part of the payment: the tickets admit no one, and keep their stock, until that dispute
   * is won after all. `isFrozen`: another one is open.
   */
  | { type: 'OrderVoided'; data: { orderId: string; disputeId: string; isFrozen: boolean } }
  /** A dispute was won, perhaps after it was lost. `isFrozen`: another one is open; `isVoid`: another one was lost. */
  | { type: 'OrderThawed'; data: { orderId: string; disputeId: string; isFrozen: boolean; isVoid?: true } }
  /** A guest's bought order was saved to an account, and its link revoked. */
  | { type: 'OrderClaimed'; data: { orderId: string; quantity: number; buyerId: number; linkGeneration: number } }
  /** The order's link was revoked, and its buyer given another one. */
  | { type: 'LinkRenewed'; data: { orderId: string; linkGeneration: number } };

/** Events that move money: each is published, and may be mailed. */
export const MONEY_EVENTS = ['TicketsSold', 'PaymentNotFulfilled', 'TicketsReturned'] as const satisfies Array<
  SaleEvent['type']
>;

export interface Terms {
  /** What was asked for. In force is the greater of it and what is sold and held: lowering it takes nothing from anybody. */
  capacity: number;
  priceCents: number;
  organizerId: number;
  /** UTC; null: no such limit. */
  opensAt: string | null;
  closesAt: string | null;
  /** When the event is over. */
  endsAt: string;
  /** Of the catalog's stream, from which these terms come; older ones are ignored. */
  catalogVersion: number;
  /** See `TicketsHeld`. */
  refundDeadlineHours: number | null;
}

/** A ticket that ends: its place in the order, from 1 on. */
export interface ReturnedTicket {
  place: number;
  type: string;
  priceCents: number;
}

export const CLOSE_REASONS = ['canceled', 'postponed', 'withdrawn'] as const;
export type CloseReason = (typeof CLOSE_REASONS)[number];

/**
 * Why a payment got no tickets. `refunded-by-provider`: it had been withdrawn; `underpaid`: it was less than the price; `order-lost`:
 * the log, restored from a backup, does not know what it was for (catch-up.ts).
 */
export const NOT_FULFILLED_REASONS = [
  'too-late',
  'event-canceled',
  'refunded-by-provider',
  'underpaid',
  'order-lost',
] as const;
export type NotFulfilledReason = (typeof NOT_FULFILLED_REASONS)[number];

/** Requested by the event's organizer, an admin or the buyer. */
export const ASKED_REASONS = ['refunded-by-organizer', 'refunded-by-admin', 'canceled-by-buyer'] as const;
export type AskedReason = (typeof ASKED_REASONS)[number];

/** `refunded-by-provider`: the whole money went back in the provider's dashboard. */
export const RETURN_REASONS = ['event-canceled', 'refunded-by-provider', ...ASKED_REASONS] as const;
export type ReturnReason = (typeof RETURN_REASONS)[number];

export const RELEASE_REASONS = [
  'given-back',
  'replaced',
  'expired',
  'payment-unavailable',
  'event-canceled',
  'event-postponed',
  'money-withdrawn',
  'underpaid',
] as const;
export type ReleaseReason = (typeof RELEASE_REASONS)[number];
