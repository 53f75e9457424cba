/** An event as its organiser describes it. Money in cents, times as ISO text in UTC. */
export interface Details {
  title: string;
  description: string;
  location: string;
  /** Null: it shows its poster. */
  pictureUrl: string | null;
  videoUrl: string | null;
  tags: string[];
  eventDate: string;
  eventStartTime: string;
  eventEndTime: string | null;
  contactEmail: string;
  hasTickets: boolean;
  ticketSalesEnabled: boolean;
  priceCents: number | null;
  capacity: number | null;
  salesStart: string | null;
  salesEnd: string | null;
}

/**
 * What can happen. Each tells the whole, so that whoever reads one needs no other. `ownerId` is the organiser: stored and
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
  | { type: 'EventCancelled'; data: { ownerId: number } };

/** What can be asked. Who may ask is decided at the door. `at` is the time of the request, ISO text: rules know no clock. */
export type ListingCommand =
  | { type: 'PublishEvent'; organiserId: number; details: Details; at: string; seriesId?: number }
  | {
      type: 'UpdateEvent';
      /** Of a postponed event a date, even the one it had, is its new one. */
      changes: Partial<Details>;
      /** Tickets sold or held, as far as we have heard. */
      taken: number;
      at: string;
      /** The version the asker saw, if they care. */
      seen?: number;
    }
  | { type: 'PostponeEvent'; at: string; seen?: number }
  | { type: 'CancelEvent'; seen?: number };
