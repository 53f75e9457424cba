import { z } from 'zod';
import { envelope, optionalField } from '../common/basics.ts';
import { blockText } from '../common/text.ts';
import { fault } from '../problems/fault.ts';

/** What can be reported. `comment`: below an event; `message`: of a chat. */
export const ContentKind = z.enum([
  ...(['comment', 'photo', 'video', 'message'] as const),
  ...(['post', 'post-comment', 'question', 'answer'] as const),
]);
export type ContentKind = z.infer<typeof ContentKind>;

const NUMBER = '[1-9]\\d{0,9}';
/** A number; of a message its room and its number in it: `region.12`, `7.12`. */
const CONTENT_ID = new RegExp(`^(?:(?:region|${NUMBER})\\.)?${NUMBER}$`);
const hasIdOf = ({ kind, id }: { kind: ContentKind; id: string | number }) =>
  (kind === 'message') === String(id).includes('.');

export const ContentId = z.string().max(21).regex(CONTENT_ID, fault('invalid.reported'));

/** One case for each thing that was reported: `comment.17`, `message.region.12`. */
export const caseIdOf = ({ kind, id }: { kind: ContentKind; id: string }): string => `${kind}.${id}`;
export const CaseId = z
  .string()
  .max(40)
  .regex(new RegExp(`^(?:${ContentKind.options.join('|')})\\.(?:(?:region|${NUMBER})\\.)?${NUMBER}$`));

export const ReportReason = z.enum([
  ...(['spam', 'harassment', 'hate', 'violence', 'sexual', 'illegal', 'privacy', 'rights'] as const),
  /** Of the older calls, which have one word for the second to fourth. */
  ...(['abuse', 'other'] as const),
]);
export type ReportReason = z.infer<typeof ReportReason>;

/** The word that older rows and calls have for a reason. */
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

/** POST /internal/content/{kind}/{id} of the service that has it: returns what a report is of. */
export const LoadContentBody = z.strictObject({ reporterId: z.int().positive() });

/** What is reported, by the service that has it. */
export const ReportedContent = z.object({
  /** Null: nobody with an account. */
  authorId: z.int().nullable(),
  /** The first of its words. */
  excerpt: z.string().max(500),
  /** The page that shows it. */
  path: z.string().max(200),
  /** Versions of its text are counted from 0. */
  version: z.int().min(0).default(0),
  /** An account whose report is of an older version can report it again. */
  since: z.int().min(0).default(0),
});
export type ReportedContent = z.infer<typeof ReportedContent>;

const MAX_EXCERPT = 300;
/** As much of a text as a case shows, in whole characters. */
export const excerptOf = (text: string): string => {
  const letters = [...text];
  return letters.length <= MAX_EXCERPT ? text : `${letters.slice(0, MAX_EXCERPT - 1).join('')}…`;
};

/** POST /internal/reports of identity: something was reported by a call of the service that has it. */
export const QueueReportBody = z
  .object({ kind: ContentKind, id: ContentId, reporterId: z.int().positive(), reason: ReportReason, note })
  .extend(ReportedContent.shape);
export type QueueReportBody = z.infer<typeof QueueReportBody>;

/** POST /internal/reports/of of identity: the latest reports of these things. */
export const ContentReportsBody = z.strictObject({ cases: z.array(CaseId).max(100) });
export const ContentReports = z.object({
  items: z.array(
    z.object({
      /** The id of the thing. */
      id: z.string(),
      /** Latest first. */
      reports: z.array(
        z.object({ reason: ReportReason, note: z.string().nullable(), at: z.iso.datetime(), version: z.int() }),
      ),
    }),
  ),
});
export type ContentReports = z.infer<typeof ContentReports>;

/** What an admin does. `keep`: it stays, and what was reported is settled. */
export const CaseAction = z.enum(['keep', 'hide', 'restore', 'remove', 'warn', 'suspend', 'reinstate']);
export type CaseAction = z.infer<typeof CaseAction>;

/** What can be done with each kind. A message of a chat is removed or stays. */
export const ACTIONS_OF: Record<ContentKind, readonly CaseAction[]> = {
  comment: CaseAction.options,
  photo: CaseAction.options,
  video: CaseAction.options,
  post: CaseAction.options,
  'post-comment': CaseAction.options,
  question: CaseAction.options,
  answer: CaseAction.options,
  message: ['keep', 'remove', 'warn', 'suspend', 'reinstate'],
};

/** What the author may ask another look at. */
export const APPEALABLE = ['hide', 'remove', 'warn', 'suspend'] as const satisfies CaseAction[];
export const APPEAL_DAYS = 30;

/** POST /api/moderation/{caseId}/actions. `seen`: the number of decisions that the admin saw. `days` of a suspension; left out: for good. */
export const ActOnCaseBody = z
  .strictObject({
    action: CaseAction,
    reason: ReportReason,
    seen: z.int().min(0),
    days: optionalField(z.int().min(1).max(365)),
    /** Shown to the author. */
    note,
  })
  .refine(({ action, days }) => days === undefined || action === 'suspend', {
    path: ['days'],
    error: fault('invalid.suspension-only'),
  });
export type ActOnCaseBody = z.infer<typeof ActOnCaseBody>;

/** POST /api/moderation/{caseId}/appeal. `token`: of the link that was mailed, for who cannot sign in. */
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
  /** Of a suspension; null: for good. */
  until: z.iso.datetime().nullable(),
  appeal: z
    .object({
      text: z.string(),
      at: z.iso.datetime(),
      /** Null: nobody has decided yet. */
      outcome: z.enum(['upheld', 'reversed']).nullable(),
    })
    .nullable(),
});

const caseFields = {
  id: CaseId,
  kind: ContentKind,
  contentId: z.string(),
  /** Whether readers see it. */
  standing: z.enum(['shown', 'hidden', 'removed']),
  /** The first of its words when it was reported last. */
  excerpt: z.string(),
  path: z.string(),
  changedAt: z.iso.datetime(),
};

/** A case as admins see it. */
export const ModerationCase = z.object({
  ...caseFields,
  state: z.enum(['open', 'acted', 'appealed']),
  author: z.object({ id: z.int(), name: z.string().nullable(), isSuspended: z.boolean() }).nullable(),
  openReports: z.int(),
  /** The latest ones. */
  reports: z.array(z.object({ reason: ReportReason, note: z.string().nullable(), at: z.iso.datetime() })),
  /** Latest first. */
  decisions: z.array(Decision.extend({ admin: z.string().nullable() })),
  /** How many there were: what `seen` must be. */
  seen: z.int(),
  actions: z.array(CaseAction),
});
export type ModerationCase = z.infer<typeof ModerationCase>;

/** GET /api/moderation (admins): what changed last comes first. */
export const ModerationQuery = z.object({
  state: ModerationCase.shape.state.default('open'),
  kind: ContentKind.optional(),
  cursor: z.string().max(400).optional(),
  limit: z.coerce.number().int().min(1).max(50).default(20),
});
export type ModerationQuery = z.infer<typeof ModerationQuery>;
export const ModerationPage = z.object({ items: z.array(ModerationCase), nextCursor: z.string().nullable() });
export type ModerationPage = z.infer<typeof ModerationPage>;

/** A case as its author sees it: nobody is told who reported. */
export const OwnCase = z.object({
  ...caseFields,
  decisions: z.array(Decision),
  /** Until when the last decision can be appealed; null: it cannot. */
  appealUntil: z.iso.datetime().nullable(),
});
export type OwnCase = z.infer<typeof OwnCase>;

/** GET /api/moderation/mine: what was decided of one's own, latest first. */
export const OwnCasesQuery = ModerationQuery.pick({ cursor: true, limit: true });
export const OwnCases = z.object({ items: z.array(OwnCase), nextCursor: z.string().nullable() });
export type OwnCases = z.infer<typeof OwnCases>;

/**
 * What was decided of something of an account, for the account to hear: each decision but `keep`, and what became of an appeal of one
 * (`outcome`). Of one case the highest `decision` is the latest.
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

/** Something was reported. Reports of a thing are counted from 1; the highest number counts. */
export const ContentReportedV1 = z.object({
  ...envelope,
  type: z.literal('identity.content-reported'),
  version: z.literal(1),
  data: z.object({ kind: ContentKind, id: z.string(), reports: z.int().positive() }),
});
export type ContentReportedV1 = z.infer<typeof ContentReportedV1>;

/** An admin decided; the service that has it does as it says. Of one case the highest `decision` counts. */
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
