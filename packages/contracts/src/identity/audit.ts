import { z } from 'zod';
import { IdText } from '../common/basics.ts';
import { fault } from '../problems/fault.ts';

/**
 * Actions of admins on the page /ops (docs/operations/ops-page.md), on reported content, and on other people's accounts
 * and orders.
 */
export const AuditKind = z.enum([
  'dead-letter-replayed',
  'dead-letter-discarded',
  'dead-letter-looked-at',
  'jobs-retried',
  'jobs-discarded',
  'invariants-checked',
  'searched',
  'timeline-looked-at',
  'moderated',
  'appeal-decided',
  'totp-taken-off',
  'order-address-corrected',
]);
export type AuditKind = z.infer<typeof AuditKind>;

/** The kinds that settle a dead letter. Only the first such entry for a dead letter counts. */
export const SETTLING = ['dead-letter-replayed', 'dead-letter-discarded'] as const satisfies AuditKind[];
export type SettlingKind = (typeof SETTLING)[number];

/** POST /internal/audit of identity, before an admin's action. `subject` and `note` contain no personal data. */
export const AuditBody = z.strictObject({
  accountId: z.int().positive(),
  kind: AuditKind,
  /** Id of the dead letter, order or payment; otherwise one word. */
  subject: z.string().min(1).max(200),
  note: z.string().max(300).default(''),
  /** The request's id, which all services log. */
  requestId: z.string().max(64).optional(),
});
export type AuditBody = z.input<typeof AuditBody>;

/** `first` is false if the dead letter was already settled the same way; then `at` is the time of that decision. */
export const AuditAnswer = z.object({ at: z.iso.datetime(), first: z.boolean() });
export type AuditAnswer = z.infer<typeof AuditAnswer>;

export const AuditEntry = z.object({
  at: z.iso.datetime(),
  accountId: z.int(),
  /** null: the account no longer exists. */
  name: z.string().nullable(),
  kind: AuditKind,
  subject: z.string(),
  note: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** GET /api/ops/audit: newest first; `cursor` is the `nextCursor` of the previous page. */
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
  /** Accounts that have entries, for the filter: at most 100, sorted by name. */
  people: z.array(z.object({ id: z.int(), name: z.string() })),
  nextCursor: z.string().nullable(),
});
export type AuditPage = z.infer<typeof AuditPage>;
