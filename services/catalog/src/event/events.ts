import type { CreateEventBody } from '@beltway/contracts/catalog/event-bodies';
import type { PaidLivestream } from '@beltway/contracts/catalog/livestream';
import type { PaymentLoss } from '@beltway/contracts/payments/payment-loss';
import type { PaidLevel, PromotionRefusal } from '@beltway/contracts/catalog/promotion';

/** An event as its organizer describes it, with the API's field names. */
export type SentDetails = Omit<CreateEventBody, 'isSponsored' | 'promotionLevel' | 'repeat'>;

/**
 * An event's details as the organizer sent them, with some fields renamed. Money is in cents, times are ISO text in
 * UTC. Fields that older events do not have are optional.
 */
export interface Details extends Omit<
  SentDetails,
  | 'eventLastDate'
  | 'freeEntry'
  | 'imageUrl'
  | 'ticketPrice'
  | 'totalTickets'
  | 'ticketSalesStartTime'
  | 'ticketSalesEndTime'
> {
  /** Absent: the event takes one day. null only in a change, to remove the last day. */
  eventLastDate?: string | null | undefined;
  /** null only in a change, to withdraw the statement. */
  freeEntry?: boolean | null | undefined;
  /** null: the event shows its drawn poster. */
  pictureUrl: string | null;
  priceCents: number | null;
  capacity: number | null;
  salesStart: string | null;
  salesEnd: string | null;
}

/**
 * Events of a listing. An event about a change contains the whole state, so that its reader needs no earlier event.
 * `ownerId` is the organizer's account; log and messages have used this name since the first event.
 */
export type ListingEvent =
  /** `seriesId`: the series of which the event is a date; missing if the event belongs to no series. */
  | { type: 'EventPublished'; data: { ownerId: number; details: Details; seriesId?: number } }
  /** `isPostponed`: the event has no date for now; missing if it has a date. */
  | { type: 'EventUpdated'; data: Whole & { changed: Array<keyof Details>; isPostponed?: true } }
  /** The event has lost its date and has no new date yet. Its details keep the old date. */
  | { type: 'EventPostponed'; data: Whole }
  /** A postponed event has a date again. */
  | { type: 'EventRescheduled'; data: Whole & { changed: Array<keyof Details> } }
  /** The event is removed from all lists and sells nothing. Appended again for each further cause of the suspension. */
  | { type: 'EventSuspended'; data: Whole & { cause: SuspensionCause; isPostponed?: true } }
  /** A cause of the suspension ended; `isSuspended`: another cause remains. */
  | { type: 'EventResumed'; data: Whole & { cause: SuspensionCause; isPostponed?: true } }
  | { type: 'EventCanceled'; data: { ownerId: number } }
  /**
   * The organizer's account was erased: mail about the event stops, and the contact email address is removed from the
   * log (event/projection.ts).
   */
  | { type: 'ContactErased'; data: { ownerId: number } }
  /** The purchase is in force until `until`. `running`: all levels in force after this event. */
  | { type: 'PromotionStarted'; data: Purchase & { until: string; running: Running[] } }
  /** The purchase cannot be fulfilled, so it is refunded. */
  | { type: 'PromotionRefused'; data: Purchase & { reason: PromotionRefusal } }
  /**
   * The purchase ended early, because its event was canceled (then the purchase is refunded) or because its payment was
   * refunded or lost. `running`: the levels still in force; missing for a canceled event.
   */
  | { type: 'PromotionReturned'; data: Purchase & { reason: 'event-canceled' | PaymentLoss; running?: Running[] } }
  | { type: 'PromotionEnded'; data: { level: PaidLevel; running: Running[] } }
  /** The stream that was bought with this purchase. */
  | { type: 'LivestreamScheduled'; data: Livestream & { promotionId: string } }
  /**
   * The stream changed before it began: the event was moved, or the stream was configured. `isOwn`: the stream's owner
   * changed it.
   */
  | { type: 'LivestreamMoved'; data: Livestream & { isOwn?: true } }
  | { type: 'LivestreamStarted'; data: Livestream }
  | { type: 'LivestreamEnded'; data: Livestream };

/** `isSuspended`: the event is in no list and sells nothing; missing if the event is not suspended. */
export interface Whole {
  ownerId: number;
  details: Details;
  seriesId?: number;
  isSuspended?: true;
}

/** `organizer`: the organizer's account is suspended; `reported`: admins hid the event. Each cause ends separately. */
export type SuspensionCause = 'organizer' | 'reported';

/** A configured live stream. It is canceled with its event. */
export type Livestream = Omit<PaidLivestream, 'eventStartsAt' | 'isUsual'>;

/** A paid promotion: its payment, and what the payment buys. */
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

/**
 * Commands. Routes check who may send each command. `at`: the time of the request as ISO text, because deciders have no
 * clock.
 */
export type ListingCommand =
  | { type: 'PublishEvent'; organizerId: number; details: Details; at: string; seriesId?: number }
  | {
      type: 'UpdateEvent';
      /** If the event is postponed, `eventDate` is its new date, even if it equals the old date. */
      changes: Partial<Details>;
      /** Tickets sold or held, from the latest stock message. */
      taken: number;
      at: string;
      /** The stream version on which the change is based, if the caller sent a version. */
      seen?: number;
      /** Set if an admin sends the command. Only an admin may move a past event to a later time. */
      afterEnd?: true;
    }
  | { type: 'PostponeEvent'; at: string; seen?: number }
  /** `afterEnd`: an admin sends the command and has confirmed how much is refunded to buyers. */
  | { type: 'CancelEvent'; at: string; seen?: number; afterEnd?: true }
  | { type: 'SuspendEvent' | 'ResumeEvent'; cause: SuspensionCause }
  | { type: 'EraseContact' }
  /** `livestream`: the live stream that the purchase includes. */
  | { type: 'StartPromotion'; purchase: Purchase; hours: number; at: string; livestream?: PaidLivestream }
  /** The payment was refunded or lost. `hours`: the duration that was bought. */
  | { type: 'WithdrawPromotion'; purchase: Purchase; hours: number; reason: PaymentLoss; at: string }
  /** Sent by the stream's owner. */
  | { type: 'ChangeLivestream'; livestream: Livestream; at: string }
  /** The configuration that the buyer confirmed for the stream of this purchase. */
  | { type: 'ConfigureLivestream'; promotionId: string; livestream: PaidLivestream; at: string }
  | { type: 'EndPromotions'; at: string }
  /** Starts and ends the live stream by its times. */
  | { type: 'AdvanceLivestream'; at: string };
