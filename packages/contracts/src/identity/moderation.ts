import { z } from 'zod';
import { envelope, optionalField } from '../common/basics.ts';
import { blockText } from '../common/text.ts';
import { fault } from '../problems/fault.ts';

/**
 * Content that can be reported. `comment` is below an event, `message` is in a chat. An `ad` can be reported while
 * pages display it.
 */
export const ContentKind = z.enum([
  ...(['comment', 'photo', 'video', 'message'] as const),
  ...(['post', 'post-comment', 'question', 'answer'] as const),
  ...(['event', 'account', 'ad'] as const),
]);
export type ContentKind = z.infer<typeof ContentKind>;

const NUMBER = '[1-9]\\d{0,9}';
const UUID = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}';
/**
 * The id of reported content. Usually a number; for a chat message, the room and the number in that room (`region.12`,
 * `7.12`); for an ad, its UUID.
 */
const ID = `(?:(?:(?:region|${NUMBER})\\.)?${NUMBER}|${UUID})`;
const hasIdOf = ({ kind, id }: { kind: ContentKind; id: string | number }) =>
  (kind === 'message') === String(id).includes('.') && (kind === 'ad') === String(id).includes('-');

export const ContentId = z
  .string()
  .max(36)
  .regex(new RegExp(`^${ID}$`), fault('invalid.reported'));

/** Each reported item has one case: `comment.17`, `message.region.12`. */
export const caseIdOf = ({ kind, id }: { kind: ContentKind; id: string }): string => `${kind}.${id}`;
export const CaseId = z
  .string()
  .max(40)
  .regex(new RegExp(`^(?:${ContentKind.options.join('|')})\\.${ID}$`));

export const ReportReason = z.enum([
  ...(['spam', 'harassment', 'hate', 'violence', 'sexual', 'illegal', 'privacy', 'rights'] as const),
  /** Reasons that older clients send. Their `abuse` combines the second to fourth reason. */
  ...(['abuse', 'other'] as const),
]);
export type ReportReason = z.infer<typeof ReportReason>;

/** The equivalent reason in older rows and requests. */
export function olderReason(reason: ReportReason): 'spam' | 'abuse' | 'privacy' | 'other' {
  switch (reason) {
    case 'spam':
    case 'privacy':
      return reason;
    case 'abuse':
    case 'harassment':
    case 'hate':
    case 'violence':
      return 'abuse';
    case 'sexual':
    case 'illegal':
    case 'rights':
    case 'other':
      return 'other';
  }
}

const note = optionalField(blockText(500, 'invalid.something-or-nothing'));

/** POST /api/reports (services/identity/PRODUCT.md#moderation). `id`: a number, or `<room>.<number>` for a message. */
export const ReportContentBody = z
  .strictObject({
    kind: ContentKind,
    id: z.union([ContentId, z.int().positive().max(2_147_483_647)], fault('invalid.reported')),
    reason: ReportReason,
    note,
  })
  .refine(hasIdOf, { path: ['id'], error: fault('invalid.reported') });
export type ReportContentBody = z.infer<typeof ReportContentBody>;

/** POST /internal/content/{kind}/{id} of the service that owns the content: returns the data that a report requires. */
export const LoadContentBody = z.strictObject({ reporterId: z.int().positive() });

/** The reported content, as its service returns it. */
export const ReportedContent = z.object({
  /** null: the author has no account. */
  authorId: z.int().nullable(),
  /** The beginning of the content's text. */
  excerpt: z.string().max(500),
  /** The page that displays the content. */
  path: z.string().max(200),
  /** The version of the content's text, counted from 0. */
  version: z.int().min(0).default(0),
  /** An account that reported a version older than `since` can report the content again. */
  since: z.int().min(0).default(0),
});
export type ReportedContent = z.infer<typeof ReportedContent>;

const MAX_EXCERPT = 300;
/** The part of a text that a case displays; never splits a character. */
export const excerptOf = (text: string): string => {
  const letters = [...text];
  return letters.length <= MAX_EXCERPT ? text : `${letters.slice(0, MAX_EXCERPT - 1).join('')}…`;
};

/** POST /internal/reports of identity: the service that owns the content forwards a report that it received. */
export const QueueReportBody = z
  .object({ kind: ContentKind, id: ContentId, reporterId: z.int().positive(), reason: ReportReason, note })
  .extend(ReportedContent.shape);
export type QueueReportBody = z.infer<typeof QueueReportBody>;

/** POST /internal/reports/of of identity: returns the latest reports of these items. */
export const ContentReportsBody = z.strictObject({ cases: z.array(CaseId).max(100) });
export const ContentReports = z.object({
  items: z.array(
    z.object({
      /** Id of the content. */
      id: z.string(),
      /** Latest first. */
      reports: z.array(
        z.object({ reason: ReportReason, note: z.string().nullable(), at: z.iso.datetime(), version: z.int() }),
      ),
    }),
  ),
});
export type ContentReports = z.infer<typeof ContentReports>;

/** An admin's decision. `keep` leaves the content and settles its reports. */
export const CaseAction = z.enum(['keep', 'hide', 'restore', 'remove', 'warn', 'suspend', 'reinstate']);
export type CaseAction = z.infer<typeof CaseAction>;

/**
 * The possible decisions for each kind. A chat message can only be removed or kept. Hiding an event suspends it; admins
 * cancel an event on its own page. Hiding an ad removes the ad from all pages until an admin approves new content.
 */
export const ACTIONS_OF: Record<ContentKind, readonly CaseAction[]> = {
  comment: CaseAction.options,
  photo: CaseAction.options,
  video: CaseAction.options,
  post: CaseAction.options,
  'post-comment': CaseAction.options,
  question: CaseAction.options,
  answer: CaseAction.options,
  message: ['keep', 'remove', 'warn', 'suspend', 'reinstate'],
  event: ['keep', 'hide', 'restore', 'warn', 'suspend', 'reinstate'],
  account: ['keep', 'warn', 'suspend', 'reinstate'],
  ad: ['keep', 'hide'],
};

/** Decisions that the author may appeal. */
export const APPEALABLE = ['hide', 'remove', 'warn', 'suspend'] as const satisfies CaseAction[];
export const APPEAL_DAYS = 30;

/**
 * POST /api/moderation/{caseId}/actions. `seen`: the number of decisions that the admin saw. `days`: the length of a
 * suspension; absent means permanent.
 */
export const ActOnCaseBody = z
  .strictObject({
    action: CaseAction,
    reason: ReportReason,
    seen: z.int().min(0),
    days: optionalField(z.int().min(1).max(365)),
    /** Displayed to the author. */
    note,
  })
  .refine(({ action, days }) => days === undefined || action === 'suspend', {
    path: ['days'],
    error: fault('invalid.suspension-only'),
  });
export type ActOnCaseBody = z.infer<typeof ActOnCaseBody>;

/** POST /api/moderation/{caseId}/appeal. `token`: from the mailed link, for an author who cannot sign in. */
export const AppealBody = z.strictObject({
  text: blockText(1_000, 'invalid.why'),
  token: optionalField(z.string().min(1).max(200)),
});
export type AppealBody = z.infer<typeof AppealBody>;

/** POST /api/moderation/{caseId}/appeal/decision */
export const DecideAppealBody = z.strictObject({ outcome: z.enum(['upheld', 'reversed']) });
export type DecideAppealBody = z.infer<typeof DecideAppealBody>;

const Decision = z.object({
  number: z.int(),
  action: CaseAction,
  reason: ReportReason,
  note: z.string().nullable(),
  at: z.iso.datetime(),
  /** End of a suspension; null: permanent. */
  until: z.iso.datetime().nullable(),
  appeal: z
    .object({
      text: z.string(),
      at: z.iso.datetime(),
      /** null: not decided yet. */
      outcome: z.enum(['upheld', 'reversed']).nullable(),
    })
    .nullable(),
});

const caseFields = {
  id: CaseId,
  kind: ContentKind,
  contentId: z.string(),
  /** Whether readers can see the content. */
  standing: z.enum(['shown', 'hidden', 'removed']),
  /** The beginning of the text at the time of the last report. */
  excerpt: z.string(),
  path: z.string(),
  changedAt: z.iso.datetime(),
};

/** A case in the admins' list. */
export const ModerationCase = z.object({
  ...caseFields,
  state: z.enum(['open', 'acted', 'appealed']),
  author: z.object({ id: z.int(), name: z.string().nullable(), isSuspended: z.boolean() }).nullable(),
  openReports: z.int(),
  /** Only the latest reports. */
  reports: z.array(z.object({ reason: ReportReason, note: z.string().nullable(), at: z.iso.datetime() })),
  /** Latest first. */
  decisions: z.array(Decision.extend({ admin: z.string().nullable() })),
  /** Number of decisions. An action sends it as `seen`. */
  seen: z.int(),
  actions: z.array(CaseAction),
});
export type ModerationCase = z.infer<typeof ModerationCase>;

/** GET /api/moderation (admins): cases, last changed first. */
export const ModerationQuery = z.object({
  state: ModerationCase.shape.state.default('open'),
  kind: ContentKind.optional(),
  cursor: z.string().max(400).optional(),
  limit: z.coerce.number().int().min(1).max(50).default(20),
});
export type ModerationQuery = z.infer<typeof ModerationQuery>;
export const ModerationPage = z.object({ items: z.array(ModerationCase), nextCursor: z.string().nullable() });
export type ModerationPage = z.infer<typeof ModerationPage>;

/** A case as the content's author sees it, without the reporters. */
export const OwnCase = z.object({
  ...caseFields,
  decisions: z.array(Decision),
  /** Deadline for an appeal against the last decision; null: no appeal is possible. */
  appealUntil: z.iso.datetime().nullable(),
});
export type OwnCase = z.infer<typeof OwnCase>;

/** GET /api/moderation/mine: decisions on the caller's own content, latest first. */
export const OwnCasesQuery = ModerationQuery.pick({ cursor: true, limit: true });
export const OwnCases = z.object({ items: z.array(OwnCase), nextCursor: z.string().nullable() });
export type OwnCases = z.infer<typeof OwnCases>;

/**
 * Notifies an account of a decision on its content: every decision except `keep`, and the result of an appeal
 * (`outcome`). A case's message with the highest `decision` is the latest.
 */
export const AuthorToldV1 = z.object({
  ...envelope,
  type: z.literal('identity.author-told'),
  version: z.literal(1),
  data: z.object({
    userId: z.int(),
    caseId: CaseId,
    kind: ContentKind,
    action: CaseAction.exclude(['keep']),
    decision: z.int().positive(),
    outcome: DecideAppealBody.shape.outcome.nullable(),
  }),
});
export type AuthorToldV1 = z.infer<typeof AuthorToldV1>;

/** Content was reported. `reports` counts its reports from 1; consumers use the highest number. */
export const ContentReportedV1 = z.object({
  ...envelope,
  type: z.literal('identity.content-reported'),
  version: z.literal(1),
  data: z.object({ kind: ContentKind, id: z.string(), reports: z.int().positive() }),
});
export type ContentReportedV1 = z.infer<typeof ContentReportedV1>;

/**
 * An admin decided; the service that owns the content applies the decision. A case's message with the highest
 * `decision` applies.
 */
export const ContentModeratedV1 = z.object({
  ...envelope,
  type: z.literal('identity.content-moderated'),
  version: z.literal(1),
  data: z.object({
    kind: ContentKind,
    id: z.string(),
    action: z.enum(['keep', 'hide', 'restore', 'remove']),
    decision: z.int().positive(),
    adminId: z.int(),
  }),
});
export type ContentModeratedV1 = z.infer<typeof ContentModeratedV1>;
