import { z } from 'zod';

export const LetterState = z.enum(['waiting', 'replayed', 'discarded']);
export type LetterState = z.infer<typeof LetterState>;

/** A dead letter in the list. The parts of its cause and message that may be personal data are omitted. */
export const DeadLetterItem = z.object({
  id: z.uuid(),
  /** The consumer group that failed to handle the message: `ticketing.catalog`. */
  group: z.string(),
  /** The message's type, if readable. */
  type: z.string(),
  key: z.string(),
  messageId: z.string(),
  /** When the message was parked. */
  at: z.iso.datetime(),
  /** 0: the message violated its contract, so it was never handled. */
  attempts: z.int(),
  cause: z.string(),
  /** Beginning of the message. Texts other than ids, times and type names are replaced by "hidden". */
  outline: z.string(),
  state: LetterState,
  settledAt: z.iso.datetime().nullable(),
  /** False: the parked data is not a message and can only be discarded. */
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
  /** Groups with dead letters, and the number of waiting dead letters. `hasMore`: older dead letters are not listed. */
  groups: z.array(z.object({ group: z.string(), waiting: z.int(), hasMore: z.boolean() })),
  nextCursor: z.string().nullable(),
});
export type DeadLetterPage = z.infer<typeof DeadLetterPage>;

/** POST /api/ops/dead-letters/{letterId}/look: the complete dead letter as text. The access is audited. */
export const DeadLetterText = z.object({
  cause: z.string(),
  stack: z.array(z.string()),
  /** The message as JSON with its field names, truncated after 20,000 characters. */
  message: z.string(),
  isCut: z.boolean(),
});
export type DeadLetterText = z.infer<typeof DeadLetterText>;
