import { z } from 'zod';
import { fault } from '../problems/fault.ts';

/** Counts of the accounts' actions on an event (services/catalog/PRODUCT.md#likes-bookmarks-and-counts). */
export const EventCounts = z.object({
  likes: z.int(),
  comments: z.int(),
  interested: z.int(),
  going: z.int(),
  shares: z.int(),
  /** Visitors of the event's page, each counted once a day. */
  views: z.int(),
});
export type EventCounts = z.infer<typeof EventCounts>;

export const Interest = z.enum(['interested', 'going'], { error: fault('invalid.interest') });
export type Interest = z.infer<typeof Interest>;

/** PUT /api/events/:id/interest */
export const InterestBody = z.strictObject({ interest: Interest });

/** The caller's marks on one event. */
export const MyEngagement = z.object({
  eventId: z.int(),
  liked: z.boolean(),
  bookmarked: z.boolean(),
  interest: Interest.nullable(),
});
export type MyEngagement = z.infer<typeof MyEngagement>;

/** Events without a mark of the caller are omitted. */
export const MyEngagements = z.object({ items: z.array(MyEngagement) });
export type MyEngagements = z.infer<typeof MyEngagements>;

/** Maximum number of events per request: the page size of a search. */
export const MAX_ASKED_EVENTS = 100;
const MAX_ID = 2_147_483_647;
const ids = fault('invalid.event-ids', { max: MAX_ASKED_EVENTS });

/** The query parameters of `GET /api/me/engagement`. */
export const engagementParameters = {
  events: z
    .string({ error: ids })
    .max(MAX_ASKED_EVENTS * 11, ids)
    .regex(/^[1-9]\d{0,9}(,[1-9]\d{0,9})*$/, ids)
    .transform((text) => [...new Set(text.split(',').map(Number))])
    .refine((all) => all.length <= MAX_ASKED_EVENTS && all.every((id) => id <= MAX_ID), ids)
    .describe(`Event ids, separated by commas; at most ${MAX_ASKED_EVENTS}`),
};
export const EngagementQuery = z.object(engagementParameters);

const MAX_SAVED = 100;
const page = fault('invalid.whole-number', { max: MAX_SAVED });
const position = fault('invalid.cursor-quoted');

/** The query parameters of `GET /api/me/bookmarks`. */
export const savedParameters = {
  part: z.enum(['upcoming', 'past'], { error: fault('invalid.part') }).describe('Upcoming or past saved events'),
  cursor: z
    .string({ error: position })
    .regex(/^\d{1,15}-\d{4}-[1-9]\d{0,9}$/, position)
    .transform((text) => {
      const [date, start = '', id] = text.split('-');
      const eventStartTime = `${start.slice(0, 2)}:${start.slice(2)}`;
      return { eventDate: new Date(Number(date)), eventStartTime, eventId: Number(id) };
    })
    .refine(({ eventDate, eventId }) => !Number.isNaN(eventDate.getTime()) && eventId <= MAX_ID, position)
    .optional()
    .describe('`nextCursor` of the previous page of the same part'),
  limit: z
    .string({ error: page })
    .regex(/^[1-9]\d{0,2}$/, page)
    .transform(Number)
    .refine((value) => value <= MAX_SAVED, page)
    .optional()
    .describe(`Events per page; default 24, at most ${MAX_SAVED}`),
};
/** The cursor after a page of saved events: the position of the page's last item. */
export const savedCursor = (last: { eventDate: Date; eventStartTime: string; eventId: number }): string =>
  `${last.eventDate.getTime()}-${last.eventStartTime.replace(':', '')}-${last.eventId}`;
export const SavedQuery = z.object(savedParameters);
export type SavedQuery = z.infer<typeof SavedQuery>;
