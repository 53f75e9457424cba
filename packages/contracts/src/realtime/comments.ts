import { z } from 'zod';
import { envelope, IdText, optionalField } from '../common/basics.ts';
import { blockText } from '../common/text.ts';
import { writtenText } from './written-text.ts';

/** Maximum characters of a comment. */
export const MAX_COMMENT = 2_000;
/** Number of answers below each comment in a page of comments. The frontend loads further answers on request. */
export const INLINE_ANSWERS = 3;
/** Maximum characters of the note in a report. */
export const MAX_REPORT_NOTE = 500;

const commentText = writtenText(MAX_COMMENT);

/**
 * POST /api/events/{id}/comments (services/realtime/PRODUCT.md#comments). `answerTo`: the comment of the same event
 * that this comment answers.
 */
export const CommentBody = z.strictObject({
  text: commentText,
  answerTo: optionalField(z.int().positive().max(2_147_483_647)),
});
export type CommentBody = z.infer<typeof CommentBody>;

/** PATCH /api/comments/{commentId} */
export const EditCommentBody = z.strictObject({ text: commentText });
export type EditCommentBody = z.infer<typeof EditCommentBody>;

/** The author of a comment. */
export const CommentAuthor = z.object({ id: z.int(), name: z.string() });

/** A comment, or an answer to a comment, as every reader sees it. */
export const Comment = z.object({
  id: z.int(),
  eventId: z.int(),
  /** The comment that this answer belongs to; null for a comment that is not an answer. */
  answerTo: z.int().nullable(),
  /** If the state is not `shown`, author and text are null, and the comment is listed only because it has answers. */
  state: z.enum(['shown', 'deleted', 'hidden']),
  author: CommentAuthor.nullable(),
  /** Plain text, with line breaks. */
  text: z.string().nullable(),
  /** True if the event's owner wrote the comment. */
  isOrganizer: z.boolean(),
  createdAt: z.iso.datetime(),
  /** Time of the author's last edit. */
  editedAt: z.iso.datetime().nullable(),
});
export type Comment = z.infer<typeof Comment>;

/** A comment with its first answers, oldest first. `answerCount` is the number of all its answers. */
export const CommentThread = Comment.extend({ answers: z.array(Comment), answerCount: z.int() });
export type CommentThread = z.infer<typeof CommentThread>;

const pageLimit = (max: number, usual: number) => z.coerce.number().int().min(1).max(max).default(usual);

/** GET /api/events/{id}/comments, newest first; `cursor` is the `nextCursor` of the previous page. */
export const CommentsQuery = z.object({ cursor: IdText.optional(), limit: pageLimit(40, 20) });
export const CommentPage = z.object({
  items: z.array(CommentThread),
  nextCursor: z.string().nullable(),
  /** Number of visible comments and answers. */
  total: z.int(),
  /** Why comments are closed; null: comments are open. */
  closed: z.enum(['canceled', 'over']).nullable(),
});
export type CommentPage = z.infer<typeof CommentPage>;

/**
 * GET /api/events/{id}/comments/blocked: authors of comments on the event that the caller blocks or that block the
 * caller. The frontend hides these authors' comments, because the server returns the same comments to all readers.
 * Empty for the event's moderators.
 */
export const BlockedAuthors = z.object({ authors: z.array(z.int()) });
export type BlockedAuthors = z.infer<typeof BlockedAuthors>;

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

/** POST /api/comments/{commentId}/moderation. `keep` leaves the comment visible and settles its reports. */
export const ModerationBody = z.strictObject({ action: ModerationAction });
export type ModerationBody = z.infer<typeof ModerationBody>;

/** GET /api/comments/reported: newest comment first. */
export const ReportedQuery = z.object({
  status: z.enum(['open', 'hidden']).default('open'),
  cursor: IdText.optional(),
  limit: pageLimit(50, 20),
});

/** A comment in the moderators' list. */
export const ModeratedComment = z.object({
  id: z.int(),
  eventId: z.int(),
  eventTitle: z.string(),
  answerTo: z.int().nullable(),
  state: z.enum(['shown', 'hidden']),
  /** An admin hid the comment, so only an admin can restore it. */
  isHiddenByAdmin: z.boolean(),
  author: CommentAuthor,
  text: z.string(),
  createdAt: z.iso.datetime(),
  editedAt: z.iso.datetime().nullable(),
  /** The latest reports, without the reporters. */
  reports: z.array(
    z.object({
      reason: ReportReason,
      note: z.string().nullable(),
      /** The comment's text at the time of the report; null: the text has not changed since. */
      text: z.string().nullable(),
      at: z.iso.datetime(),
      isSettled: z.boolean(),
    }),
  ),
  /** Moderation log, latest first. `moderator` is null if the reader is an organizer and the moderator is an admin. */
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

/** Number of visible comments of an event, including answers. The message with the highest version is current. */
export const CommentsCountedV1 = z.object({
  ...envelope,
  type: z.literal('realtime.comments-counted'),
  version: z.literal(1),
  data: z.object({ eventId: z.int(), comments: z.int().min(0), version: z.int().positive() }),
});
export type CommentsCountedV1 = z.infer<typeof CommentsCountedV1>;
