import { z } from 'zod';
import { IdText } from '../common/basics.ts';
import { fault } from '../problems/fault.ts';

/** What an admin did on the page /ops (docs/operations/ops-page.md), and with what was reported. */
export const AuditKind = z.enum([
  'dead-letter-replayed',
  'dead-letter-discarded',
  'dead-letter-looked-at',
  'jobs-retried',
  'invariants-checked',
  'searched',
  'timeline-looked-at',
  'moderated',
  'appeal-decided',
  'totp-taken-off',
]);
export type AuditKind = z.infer<typeof AuditKind>;

/** The kinds that end a dead letter: of one letter the first of them counts. */
export const SETTLING = ['dead-letter-replayed', 'dead-letter-discarded'] as const satisfies AuditKind[];
export type SettlingKind = (typeof SETTLING)[number];

/** POST /internal/audit of identity: an admin is about to do this. `subject` and `note` hold no personal data. */
export const AuditBody = z.strictObject({
  accountId: z.int().positive(),
  kind: AuditKind,
  /** What it is done to: the id of a dead letter, of an order or payment; else one word. */
  subject: z.string().min(1).max(200),
  note: z.string().max(300).default(''),
  /** The request's, by which log lines of all services are found. */
  requestId: z.string().max(64).optional(),
});
export type AuditBody = z.input<typeof AuditBody>;

/** `first`: nobody had done it before. For what settles a dead letter `at` is when it was first decided so. */
export const AuditAnswer = z.object({ at: z.iso.datetime(), first: z.boolean() });
export type AuditAnswer = z.infer<typeof AuditAnswer>;

export const AuditEntry = z.object({
  at: z.iso.datetime(),
  accountId: z.int(),
  /** Null when there is no such account any more. */
  name: z.string().nullable(),
  kind: AuditKind,
  subject: z.string(),
  note: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** GET /api/ops/audit: newest first; `cursor` is the `nextCursor` of the page before. */
export const AuditQuery = z.object({
  account: IdText.optional(),
  kind: AuditKind.optional(),
  subject: z
    .string()
    .max(200)
    .regex(/^[^\0]*$/, fault('invalid.text'))
    .optional(),
  cursor: z.string().max(400).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});
export type AuditQuery = z.infer<typeof AuditQuery>;

export const AuditPage = z.object({
  items: z.array(AuditEntry),
  /** Everybody who has an entry, for the filter: a hundred at most, by name. */
  people: z.array(z.object({ id: z.int(), name: z.string() })),
  nextCursor: z.string().nullable(),
});
export type AuditPage = z.infer<typeof AuditPage>;
