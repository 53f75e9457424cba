import { z } from 'zod';

export const LetterState = z.enum(['waiting', 'replayed', 'discarded']);
export type LetterState = z.infer<typeof LetterState>;

/** A dead letter in the list: without what may be personal in its cause and its message. */
export const DeadLetterItem = z.object({
  id: z.uuid(),
  /** The group of consumers that could not handle it: `ticketing.catalog`. */
  group: z.string(),
  /** Of the message, as far as it could be read. */
  type: z.string(),
  key: z.string(),
  messageId: z.string(),
  /** When it was parked. */
  at: z.iso.datetime(),
  /** 0: it did not fit its contract, and was never tried. */
  attempts: z.int(),
  cause: z.string(),
  /** The message's beginning; texts in it that are no ids, times or names of types stand as "hidden". */
  outline: z.string(),
  state: LetterState,
  settledAt: z.iso.datetime().nullable(),
  /** False: what was parked is no message, and can only be discarded. */
  replayable: z.boolean(),
});
export type DeadLetterItem = z.infer<typeof DeadLetterItem>;

/** GET /api/ops/dead-letters: newest first. */
export const DeadLetterQuery = z.object({
  state: z.enum(['waiting', 'all']).default('waiting'),
  group: z.string().max(200).optional(),
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(25),
});
export type DeadLetterQuery = z.infer<typeof DeadLetterQuery>;

export const DeadLetterPage = z.object({
  items: z.array(DeadLetterItem),
  /** Groups that have letters, with how many wait. `hasMore`: older ones of it are not listed. */
  groups: z.array(z.object({ group: z.string(), waiting: z.int(), hasMore: z.boolean() })),
  nextCursor: z.string().nullable(),
});
export type DeadLetterPage = z.infer<typeof DeadLetterPage>;

/** POST /api/ops/dead-letters/{letterId}/look: all of it, as text; the look is written down. */
export const DeadLetterText = z.object({
  cause: z.string(),
  stack: z.array(z.string()),
  /** The message as JSON with its names of fields, cut after 20,000 characters. */
  message: z.string(),
  isCut: z.boolean(),
});
export type DeadLetterText = z.infer<typeof DeadLetterText>;
