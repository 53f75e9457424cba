import type { EventCounts } from '@beltway/contracts/identity/engagement';
import { fieldsOf, table, type Columns, type ColumnType, type RowOf } from '@beltway/kit/columns';
import type { Details } from './events.ts';

const details = {
  title: 'text',
  description: 'text',
  location: 'text',
  pictureUrl: 'text?',
  videoUrl: 'text?',
  tags: 'text[]',
  eventDate: 'timestamptz',
  eventStartTime: 'text',
  eventEndTime: 'text?',
  contactEmail: 'text',
  hasTickets: 'bool',
  ticketSalesEnabled: 'bool',
  priceCents: 'int4?',
  capacity: 'int4?',
  salesStart: 'timestamptz?',
  salesEnd: 'timestamptz?',
  refundDeadlineHours: 'int4?',
} as const satisfies Record<keyof Details, ColumnType>;

/** What was found of its location: where it is. */
const place = {
  placeId: 'text?',
  placeName: 'text?',
  placeState: 'text?',
  lat: 'float8?',
  lon: 'float8?',
  /** The position is that of the town or quarter that the location lies in. */
  placeIsApproximate: 'bool',
} as const satisfies Columns;

export const PLACE = fieldsOf(place);

/** The columns of what an organiser says of an event. */
export const DETAILS = fieldsOf(details);

export const listings = table(
  'listings',
  {
    eventId: 'int4',
    organiserId: 'int4',
    seriesId: 'int4?',
    status: 'text',
    ...details,
    ...place,
    isSponsored: 'bool',
    promotionLevel: 'text',
    promotionPaid: 'bool',
    promotionAmount: 'int4',
    promotionEndsAt: 'timestamptz?',
    isLivestream: 'bool',
    livestreamUrl: 'text?',
    livestreamStatus: 'text',
    livestreamStartTime: 'timestamptz?',
    livestreamEndTime: 'timestamptz?',
    livestreamMaxViewers: 'int4?',
    livestreamChatEnabled: 'bool?',
    livestreamRecordingEnabled: 'bool?',
    createdAt: 'timestamptz',
    changedAt: 'timestamptz',
    version: 'int4',
  },
  { organiserId: 'organiser_id' },
);

/** A listing with the stock last heard of, and what people did with it. */
export type ListingRow = RowOf<typeof listings> & EventCounts & { sold: number; held: number; stockVersion: number };
