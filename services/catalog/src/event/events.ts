import type { CreateEventBody } from '@beltway/contracts/catalog/event-bodies';
import type { PaidLivestream } from '@beltway/contracts/catalog/livestream';
import type { PaymentLoss } from '@beltway/contracts/payments/payment-loss';
import type { PaidLevel, PromotionRefusal } from '@beltway/contracts/catalog/promotion';

/** What an organizer sends of an event, under the names of the API. */
export type SentDetails = Omit<CreateEventBody, 'isSponsored' | 'promotionLevel' | 'repeat'>;

/**
 * An event as its organizer describes it: what was sent, some of it by other names. Money in cents, times as ISO text in UTC. A field that
 * older events do not have is optional.
 */
export interface Details extends Omit<
  SentDetails,
  'imageUrl' | 'ticketPrice' | 'totalTickets' | 'ticketSalesStartTime' | 'ticketSalesEndTime'
> {
  /** Null: it shows its poster. */
  pictureUrl: string | null;
  priceCents: number | null;
  capacity: number | null;
  salesStart: string | null;
  salesEnd: string | null;
}

/**
 * What can happen. Each tells the whole, so that whoever reads one needs no other. `ownerId` is the organizer: stored and
 * published under this name from the first event on.
 */
export type ListingEvent =
  /** `seriesId`: it is a date of that series. Missing: of none. */
  | { type: 'EventPublished'; data: { ownerId: number; details: Details; seriesId?: number } }
  /** `isPostponed`: it has no date meanwhile. Missing: it has. */
  | {
      type: 'EventUpdated';
      data: { ownerId: number; details: Details; changed: Array<keyof Details>; isPostponed?: true; seriesId?: number };
    }
  /** It does not take place on its date, and has no other one yet: its details keep the one it had. */
  | { type: 'EventPostponed'; data: { ownerId: number; details: Details; seriesId?: number } }
  /** A postponed event has a date again. */
  | {
      type: 'EventRescheduled';
      data: { ownerId: number; details: Details; changed: Array<keyof Details>; seriesId?: number };
    }
  | { type: 'EventCanceled'; data: { ownerId: number } }
  /** Its organizer's account was erased: nobody is written to about it any more, and the address leaves the log (event/projection.ts). */
  | { type: 'ContactErased'; data: { ownerId: number } }
  /** What was paid is in force until `until`. `running`: what is, of each level, after it. */
  | { type: 'PromotionStarted'; data: Purchase & { until: string; running: Running[] } }
  /** What was paid cannot be given: the money goes back. */
  | { type: 'PromotionRefused'; data: Purchase & { reason: PromotionRefusal } }
  /**
   * What was paid ended before it was over: its event was canceled, and the money goes back; or its payment no longer counts. `running`: what
   * is in force after it; with a canceled event nothing is.
   */
  | { type: 'PromotionReturned'; data: Purchase & { reason: 'event-canceled' | PaymentLoss; running?: Running[] } }
  | { type: 'PromotionEnded'; data: { level: PaidLevel; running: Running[] } }
  /** What was paid by this purchase. */
  | { type: 'LivestreamScheduled'; data: Livestream & { promotionId: string } }
  /**
   * It is another one before it is live: the event's hours changed, and it keeps its distance to them; or it was configured. `isOwn`: by
   * its owner.
   */
  | { type: 'LivestreamMoved'; data: Livestream & { isOwn?: true } }
  | { type: 'LivestreamStarted'; data: Livestream }
  | { type: 'LivestreamEnded'; data: Livestream };

/** A live stream as it was configured. With its event it is canceled. */
export type Livestream = Omit<PaidLivestream, 'eventStartsAt' | 'isUsual'>;

/** A promotion that was paid: which payment, and for what. */
export interface Purchase {
  promotionId: string;
  paymentId: string;
  level: PaidLevel;
  amountCents: number;
}

/** A level that is in force. */
export interface Running {
  level: PaidLevel;
  until: string;
}

/** What can be asked. Who may ask is decided at the door. `at` is the time of the request, ISO text: rules know no clock. */
export type ListingCommand =
  | { type: 'PublishEvent'; organizerId: number; details: Details; at: string; seriesId?: number }
  | {
      type: 'UpdateEvent';
      /** Of a postponed event a date, even the one it had, is its new one. */
      changes: Partial<Details>;
      /** Tickets sold or held, as far as we have heard. */
      taken: number;
      at: string;
      /** The version the asker saw, if they care. */
      seen?: number;
      /** An admin, who may give an event that is over a later time. */
      afterEnd?: true;
    }
  | { type: 'PostponeEvent'; at: string; seen?: number }
  /** `afterEnd`: an admin who has seen what goes back to buyers. */
  | { type: 'CancelEvent'; at: string; seen?: number; afterEnd?: true }
  | { type: 'EraseContact' }
  /** With the live stream that was paid by the same purchase. */
  | { type: 'StartPromotion'; purchase: Purchase; hours: number; at: string; livestream?: PaidLivestream }
  /** Its payment no longer counts. `hours`: how long what was bought lasts. */
  | { type: 'WithdrawPromotion'; purchase: Purchase; hours: number; reason: PaymentLoss; at: string }
  /** By its owner. */
  | { type: 'ChangeLivestream'; livestream: Livestream; at: string }
  /** The configuration in the buyer's confirmation, for the stream of this purchase. */
  | { type: 'ConfigureLivestream'; promotionId: string; livestream: PaidLivestream; at: string }
  | { type: 'EndPromotions'; at: string }
  /** Starts and ends the live stream by its times. */
  | { type: 'AdvanceLivestream'; at: string };
