import { z } from 'zod';
import { IdText, envelope } from '../common/basics.ts';
import { fault } from '../problems/fault.ts';

/** People that one account says it wants to be connected with, at most. */
export const MAX_CONNECTIONS = 1_000;

/** How one stands with somebody of the same event: nobody said so, the reader did, the other did, both did. */
export const ConnectionState = z.enum(['none', 'asked', 'asks-you', 'connected']);
export type ConnectionState = z.infer<typeof ConnectionState>;

/** GET and PUT /api/connections/{userId}: services/identity/PRODUCT.md#connections */
export const Connection = z.object({
  userId: z.int(),
  name: z.string(),
  /** Whether their profile is shown to everybody. */
  isVisible: z.boolean(),
  state: ConnectionState,
  /** The first event that both attended, and the day of New York that it counts for. */
  eventId: z.int(),
  eventTitle: z.string(),
  day: z.iso.date(),
  /** When it was said last; null while nobody did. */
  at: z.iso.datetime().nullable(),
});
export type Connection = z.infer<typeof Connection>;

const limit = z.coerce.number().int().min(1).max(100).default(20);

/** GET /api/connections, what was said last first. */
export const ConnectionsQuery = z.object({
  state: ConnectionState.exclude(['none'], { error: fault('invalid.connection-state') }).optional(),
  cursor: z.string().max(300).optional(),
  limit,
});
export type ConnectionsQuery = z.infer<typeof ConnectionsQuery>;

/** GET /api/people-met, younger accounts first. */
export const PeopleMetQuery = z.object({ cursor: IdText.optional(), limit });
export type PeopleMetQuery = z.infer<typeof PeopleMetQuery>;

/** A page has fewer than asked for where people block each other. */
export const ConnectionPage = z.object({ items: z.array(Connection), nextCursor: z.string().nullable() });
export type ConnectionPage = z.infer<typeof ConnectionPage>;

/** Somebody says that they want to be connected; `userId` is told. Numbers only. */
export const ConnectionWantedV1 = z.object({
  ...envelope,
  type: z.literal('identity.connection-wanted'),
  version: z.literal(1),
  data: z.object({ userId: z.int(), fromId: z.int() }),
});
export type ConnectionWantedV1 = z.infer<typeof ConnectionWantedV1>;
