import { Router, type Request, type Response } from 'express';
import type { Pool } from 'pg';
import {
  AnswersQuery,
  CommentBody,
  CommentsQuery,
  EditCommentBody,
  ModerationBody,
  ReportBody,
  ReportedQuery,
} from '@beltway/contracts/catalog/comments';
import { IdText } from '@beltway/contracts/common/basics';
import type { QueueReportBody } from '@beltway/contracts/identity/moderation';
import { Rejected } from '@beltway/event-store';
import { callerOf, type Authenticator } from '@beltway/kit/auth';
import type { InternalClient } from '@beltway/kit/internal';
import { idempotencyKeyOf } from '@beltway/kit/idempotency-key';
import { forbidden, notFound } from '@beltway/kit/problems';
import { rateLimit } from '@beltway/kit/rate-limit';
import type { ListingRow } from '../event/queries.ts';
import { listingById } from '../event/queries.ts';
import { reportedComment } from '../moderation/routes.ts';
import { commentById, deleteComment, editComment, postComment, type CommentRow } from './comments.ts';
import { ADDRESS } from './limits.ts';
import { listReported, moderateComment, moderatedComment, type Moderator } from './moderation.ts';
import { answersTo, commentsOf, shownComment } from './queries.ts';
import { reportComment } from './reports.ts';
import { openTurns } from './turns.ts';

export interface CommentRoutesDeps {
  pool: Pool;
  auth: Pick<Authenticator, 'signedIn'>;
  /** Has the queue of admins. */
  identity: Pick<InternalClient, 'post'>;
  clock: () => Date;
}

/** The number in a path; anything else names nothing: 404. */
function idOf(text: unknown, what: string): number {
  const id = IdText.safeParse(text);
  if (!id.success) throw notFound(what);
  return id.data;
}

const tagOf = (eventId: number) => `comments-${eventId}`;

/** Everybody's; also of its event, for a cancelled one takes no more comments. */
const isPublic = (res: Response, eventId: number) =>
  res.set({ 'Cache-Control': 'public, max-age=1', 'Cache-Tag': `${tagOf(eventId)}, event-${eventId}` });

/** The answer to a change: names what it changed, so that the gateway drops it. */
const changed = (res: Response, eventId: number) =>
  res.set({ 'Cache-Control': 'private, no-store', 'Cache-Tag': tagOf(eventId) });

function moderatorOf(req: Request): Moderator {
  const { id, name, role } = callerOf(req);
  return { id, name, isAdmin: role === 'admin' };
}

/** Who may write, change and moderate comments: docs/product.md#comments */
export function commentRoutes({ pool, auth, identity, clock }: CommentRoutesDeps): Router {
  const router = Router();
  const writing = { pool, turns: openTurns() };
  const byAddress = rateLimit(ADDRESS);

  const listingOf = async (eventId: number): Promise<ListingRow> => {
    const listing = await listingById(pool, eventId);
    if (!listing) throw notFound('This event');
    return listing;
  };
  const commentOf = async (req: Request): Promise<CommentRow> => {
    const comment = await commentById(pool, idOf(req.params['commentId'], 'This comment'));
    if (!comment) throw notFound('This comment');
    return comment;
  };

  router.get('/api/events/:id/comments', async (req, res) => {
    const query = CommentsQuery.parse(req.query);
    const listing = await listingOf(idOf(req.params['id'], 'This event'));
    isPublic(res, listing.eventId).json(await commentsOf(pool, listing, query, clock()));
  });

  router.get('/api/comments/:commentId/answers', async (req, res) => {
    const query = AnswersQuery.parse(req.query);
    const { id: commentId, eventId } = await commentOf(req);
    const { organiserId } = await listingOf(eventId);
    isPublic(res, eventId).json(await answersTo(pool, { commentId, organiserId }, query));
  });

  router.post('/api/events/:id/comments', auth.signedIn, byAddress, async (req, res) => {
    const key = idempotencyKeyOf(req);
    const body = CommentBody.parse(req.body);
    const listing = await listingOf(idOf(req.params['id'], 'This event'));
    const id = await postComment(writing, { listing, author: callerOf(req), body, key }, clock());
    const comment = await shownComment(pool, id, listing.organiserId);
    // Sent again after it was deleted or hidden: it is not written anew.
    if (!comment) throw new Rejected('comment-gone', 'This comment is not there any more.');
    changed(res, listing.eventId).status(201).json(comment);
  });

  router.patch('/api/comments/:commentId', auth.signedIn, async (req, res) => {
    const body = EditCommentBody.parse(req.body);
    const { id: commentId, eventId } = await commentOf(req);
    const listing = await listingOf(eventId);
    await editComment(writing, { listing, commentId, authorId: callerOf(req).id, body }, clock());
    const comment = await shownComment(pool, commentId, listing.organiserId);
    if (!comment) throw notFound('This comment');
    changed(res, eventId).json(comment);
  });

  /** 204 also for one that is gone: a repeat finds what it asked for. */
  router.delete('/api/comments/:commentId', auth.signedIn, async (req, res) => {
    const comment = await commentById(pool, idOf(req.params['commentId'], 'This comment'));
    if (!comment) return void res.status(204).end();
    const { id: commentId, eventId } = comment;
    await deleteComment(writing, { eventId, commentId, authorId: callerOf(req).id }, clock());
    changed(res, eventId).status(204).end();
  });

  router.post('/api/comments/:commentId/report', auth.signedIn, async (req, res) => {
    const body = ReportBody.parse(req.body);
    const comment = await commentOf(req);
    const { id: commentId, eventId } = comment;
    const reporterId = callerOf(req).id;
    await reportComment(writing, { eventId, commentId, reporterId, body }, clock());
    const queued: QueueReportBody = {
      kind: 'comment',
      id: String(commentId),
      reporterId,
      ...body,
      ...reportedComment(comment),
    };
    await identity.post('/internal/reports', queued);
    res.status(204).end();
  });

  router.get('/api/comments/reported', auth.signedIn, async (req, res) => {
    const page = await listReported(pool, moderatorOf(req), ReportedQuery.parse(req.query));
    res.set('Cache-Control', 'private, no-store').json(page);
  });

  router.post('/api/comments/:commentId/moderation', auth.signedIn, async (req, res) => {
    const { action } = ModerationBody.parse(req.body);
    const { id: commentId, eventId } = await commentOf(req);
    const moderator = moderatorOf(req);
    const { organiserId } = await listingOf(eventId);
    if (!moderator.isAdmin && moderator.id !== organiserId) throw forbidden();
    await moderateComment(writing, { eventId, commentId, moderator, action }, clock());
    const comment = await moderatedComment(pool, moderator, commentId);
    if (!comment) throw notFound('This comment');
    changed(res, eventId).json(comment);
  });

  return router;
}
