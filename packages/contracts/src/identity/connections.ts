import { z } from 'zod';
import { IdText, envelope } from '../common/basics.ts';
import { fault } from '../problems/fault.ts';

/** Maximum number of connection requests that one account has sent and not withdrawn. */
export const MAX_CONNECTIONS = 1_000;

/**
 * Connection requests between the reader and another attendee: none, sent by the reader, sent by the other attendee, or
 * sent by both people.
 */
export const ConnectionState = z.enum(['none', 'asked', 'asks-you', 'connected']);
export type ConnectionState = z.infer<typeof ConnectionState>;

/** GET and PUT /api/connections/{userId}: services/identity/PRODUCT.md#connections */
export const Connection = z.object({
  userId: z.int(),
  name: z.string(),
  /** True if the other account's profile is public. */
  isVisible: z.boolean(),
  state: ConnectionState,
  /** The first event that both accounts attended, and its day in New York. */
  eventId: z.int(),
  eventTitle: z.string(),
  day: z.iso.date(),
  /** Time of the last request; null if there is none. */
  at: z.iso.datetime().nullable(),
});
export type Connection = z.infer<typeof Connection>;

const limit = z.coerce.number().int().min(1).max(100).default(20);

/** GET /api/connections, latest request first. */
export const ConnectionsQuery = z.object({
  state: ConnectionState.exclude(['none'], { error: fault('invalid.connection-state') }).optional(),
  cursor: z.string().max(300).optional(),
  limit,
});
export type ConnectionsQuery = z.infer<typeof ConnectionsQuery>;

/** GET /api/people-met, newer accounts first. */
export const PeopleMetQuery = z.object({ cursor: IdText.optional(), limit });
export type PeopleMetQuery = z.infer<typeof PeopleMetQuery>;

/** A page has fewer items than requested if the page omits people who block each other. */
export const ConnectionPage = z.object({ items: z.array(Connection), nextCursor: z.string().nullable() });
export type ConnectionPage = z.infer<typeof ConnectionPage>;

/** An account requested a connection; `userId` is notified. Contains ids only. */
export const ConnectionWantedV1 = z.object({
  ...envelope,
  type: z.literal('identity.connection-wanted'),
  version: z.literal(1),
  data: z.object({ userId: z.int(), fromId: z.int() }),
});
export type ConnectionWantedV1 = z.infer<typeof ConnectionWantedV1>;
