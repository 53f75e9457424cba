import { z } from 'zod';
import { envelope, IdText, optionalField } from '../common/basics.ts';
import { blockText } from '../common/text.ts';
import { writtenText } from './written-text.ts';

/** Characters of a comment at most. */
export const MAX_COMMENT = 2_000;
/** Answers that a page of comments has below each of them; more are asked for. */
export const INLINE_ANSWERS = 3;
/** Characters of what somebody adds to a report. */
export const MAX_REPORT_NOTE = 500;

const commentText = writtenText(MAX_COMMENT);

/** POST /api/events/{id}/comments (services/realtime/PRODUCT.md#comments). `answerTo`: the comment it answers, of the same event. */
export const CommentBody = z.strictObject({
  text: commentText,
  answerTo: optionalField(z.int().positive().max(2_147_483_647)),
});
export type CommentBody = z.infer<typeof CommentBody>;

/** PATCH /api/comments/{commentId} */
export const EditCommentBody = z.strictObject({ text: commentText });
export type EditCommentBody = z.infer<typeof EditCommentBody>;

/** An account as comments name it. */
export const CommentAuthor = z.object({ id: z.int(), name: z.string() });

/** A comment, or an answer to one, as everybody reads it. */
export const Comment = z.object({
  id: z.int(),
  eventId: z.int(),
  /** The comment it answers. */
  answerTo: z.int().nullable(),
  /** Without author and text unless it is shown: there only because of the answers below it. */
  state: z.enum(['shown', 'deleted', 'hidden']),
  author: CommentAuthor.nullable(),
  /** Plain text, with line breaks. */
  text: z.string().nullable(),
  /** Written by who owns the event. */
  isOrganizer: z.boolean(),
  createdAt: z.iso.datetime(),
  /** When its author last changed it. */
  editedAt: z.iso.datetime().nullable(),
});
export type Comment = z.infer<typeof Comment>;

/** A comment with its first answers, oldest first; `answerCount` counts all. */
export const CommentThread = Comment.extend({ answers: z.array(Comment), answerCount: z.int() });
export type CommentThread = z.infer<typeof CommentThread>;

const pageLimit = (max: number, usual: number) => z.coerce.number().int().min(1).max(max).default(usual);

/** GET /api/events/{id}/comments, newest first; `cursor` is the `nextCursor` of the page before. */
export const CommentsQuery = z.object({ cursor: IdText.optional(), limit: pageLimit(40, 20) });
export const CommentPage = z.object({
  items: z.array(CommentThread),
  nextCursor: z.string().nullable(),
  /** Comments and answers that are shown. */
  total: z.int(),
  /** Why nobody can write here any more; null while they can. */
  closed: z.enum(['canceled', 'over']).nullable(),
});
export type CommentPage = z.infer<typeof CommentPage>;

/** GET /api/comments/{commentId}/answers, oldest first. */
export const AnswersQuery = z.object({ cursor: IdText.optional(), limit: pageLimit(100, 50) });
export const AnswerPage = z.object({ items: z.array(Comment), nextCursor: z.string().nullable() });
export type AnswerPage = z.infer<typeof AnswerPage>;

export const ReportReason = z.enum(['spam', 'abuse', 'privacy', 'other']);
export type ReportReason = z.infer<typeof ReportReason>;

/** POST /api/comments/{commentId}/report */
export const ReportBody = z.strictObject({
  reason: ReportReason,
  note: optionalField(blockText(MAX_REPORT_NOTE, 'invalid.something-or-nothing')),
});
export type ReportBody = z.infer<typeof ReportBody>;

export const ModerationAction = z.enum(['hide', 'restore', 'keep']);
export type ModerationAction = z.infer<typeof ModerationAction>;

/** POST /api/comments/{commentId}/moderation. `keep`: it stays shown, and what was reported of it is settled. */
export const ModerationBody = z.strictObject({ action: ModerationAction });
export type ModerationBody = z.infer<typeof ModerationBody>;

/** GET /api/comments/reported: newest comment first. */
export const ReportedQuery = z.object({
  status: z.enum(['open', 'hidden']).default('open'),
  cursor: IdText.optional(),
  limit: pageLimit(50, 20),
});

/** A comment as those who moderate it see it. */
export const ModeratedComment = z.object({
  id: z.int(),
  eventId: z.int(),
  eventTitle: z.string(),
  answerTo: z.int().nullable(),
  state: z.enum(['shown', 'hidden']),
  /** Only an admin can restore it. */
  isHiddenByAdmin: z.boolean(),
  author: CommentAuthor,
  text: z.string(),
  createdAt: z.iso.datetime(),
  editedAt: z.iso.datetime().nullable(),
  /** The latest ones. Nobody is told who reported. */
  reports: z.array(
    z.object({
      reason: ReportReason,
      note: z.string().nullable(),
      /** What the comment said when it was reported; null: what it says now. */
      text: z.string().nullable(),
      at: z.iso.datetime(),
      isSettled: z.boolean(),
    }),
  ),
  /** What was done with it, latest first. `moderator` is null where an organizer reads of an admin. */
  log: z.array(
    z.object({
      action: ModerationAction,
      moderator: CommentAuthor.nullable(),
      isAdmin: z.boolean(),
      at: z.iso.datetime(),
    }),
  ),
});
export type ModeratedComment = z.infer<typeof ModeratedComment>;

export const ModeratedComments = z.object({ items: z.array(ModeratedComment), nextCursor: z.string().nullable() });
export type ModeratedComments = z.infer<typeof ModeratedComments>;

/** The comments of an event that are shown, with answers. The message with the highest version counts. */
export const CommentsCountedV1 = z.object({
  ...envelope,
  type: z.literal('realtime.comments-counted'),
  version: z.literal(1),
  data: z.object({ eventId: z.int(), comments: z.int().min(0), version: z.int().positive() }),
});
export type CommentsCountedV1 = z.infer<typeof CommentsCountedV1>;
