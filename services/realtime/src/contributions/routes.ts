import { Router, type Request, type RequestHandler, type Response } from 'express';
import { FollowedAccounts } from '@beltway/contracts/catalog/organizers';
import { NamedPicturesBody, type NamedPictures } from '@beltway/contracts/media/images';
import {
  AnswersQuery,
  CommentBody,
  CommentsQuery,
  EditCommentBody,
  INLINE_ANSWERS,
  ModerationBody,
  ReportBody,
  ReportedQuery,
  type BlockedAuthors,
  type CommentThread,
} from '@beltway/contracts/realtime/comments';
import {
  AnswerBody,
  EditQuestionBody,
  EditSocialPostBody,
  PostCommentBody,
  PostCommentsQuery,
  QuestionBody,
  QuestionQuery,
  QuestionsQuery,
  SocialPostBody,
  SocialPostsQuery,
  type QuestionThread,
} from '@beltway/contracts/realtime/community';
import { callerOf, type Authenticator } from '@beltway/kit/auth';
import { idempotencyKeyOf } from '@beltway/kit/idempotency-key';
import { internalOnly, type InternalClient } from '@beltway/kit/internal';
import { pathId } from '@beltway/kit/path-id';
import { forbidden, notFound, unauthenticated } from '@beltway/kit/problems';
import { rateLimit } from '@beltway/kit/rate-limit';
import type { Secrets } from '@beltway/kit/secrets';
import { reportContent, type ModeratedDeps } from '@beltway/kit/service/moderated';
import { blockedAuthors } from '../community/blocks.ts';
import { notedEvent } from '../notifications/noted.ts';
import { accept, change, moderate, remove, type Change, type Moderator } from './change.ts';
import { commentCount } from './comment-counts.ts';
import { RULES, type Kind, type Mark } from './kinds.ts';
import { mark } from './marks.ts';
import { namedPictures } from './pictures.ts';
import { placeNamed } from './places.ts';
import { moderatedComment, reportedComments } from './reported.ts';
import {
  firstBelow,
  find,
  findShown,
  isModerator,
  pageOf,
  shown,
  type Row,
  type ThreadQuery,
  type Viewer,
} from './rows.ts';
import { SHOWN, toAnswer, toComment, toPost, toPostComment, toQuestion } from './shown.ts';
import { closedBy, refuse, write, type Contributing, type Draft } from './write.ts';

export interface ContributionRoutesDeps extends Contributing {
  auth: Pick<Authenticator, 'signedIn' | 'optional'>;
  internalToken: Secrets;
  /** Source of the accounts that an account follows. */
  catalog: Pick<InternalClient, 'get'>;
  moderated: ModeratedDeps;
}

/** Parses a new contribution from the fields of its kind. Throws 400, 404. */
const DRAFTS: Record<Kind, (req: Request) => Draft> = {
  comment(req) {
    const { text, answerTo } = CommentBody.parse(req.body);
    return { text, parentId: answerTo, eventId: pathId(req, 'id', 'event') };
  },
  post({ body }) {
    const { content: text, ...more } = SocialPostBody.parse(body);
    return { text, ...more };
  },
  'post-comment': (req) => ({
    text: PostCommentBody.parse(req.body).text,
    parentId: pathId(req, 'id', RULES.post.what),
  }),
  question({ body }) {
    const { question: text, location: place, ...more } = QuestionBody.parse(body);
    return { text, place, ...more };
  },
  answer: (req) => ({
    text: AnswerBody.parse(req.body).answer,
    parentId: pathId(req, 'id', RULES.question.what),
  }),
};

/** Parses a change. Kinds that are missing here cannot be changed. Throws 400. */
const CHANGES = {
  comment: (body) => EditCommentBody.parse(body),
  post(body) {
    const { content: text, imageUrl } = EditSocialPostBody.parse(body);
    return { text, imageUrl };
  },
  question(body) {
    const { question: text, ...more } = EditQuestionBody.parse(body);
    return { text, ...more };
  },
} satisfies Partial<Record<Kind, (body: unknown) => Change>>;

const moderatorOf = (req: Request): Moderator => {
  const { id, name, role } = callerOf(req);
  return { id, name, isAdmin: role === 'admin' };
};

const tagOf = (eventId: number | null) => `comments-${eventId}`;
/**
 * Comments are the same for all readers. Their responses also have the tag of the event, because a cancellation of the
 * event closes them.
 */
const isPublic = (res: Response, eventId: number | null) =>
  res.set({ 'Cache-Control': 'public, max-age=1', 'Cache-Tag': `${tagOf(eventId)}, event-${eventId}` });
/**
 * All other responses depend on the reader. The response to a change of comments has the comments' tags, so that the
 * gateway drops its cached comments.
 */
const isPrivate = (res: Response, row?: Row) =>
  res.set({
    'Cache-Control': 'private, no-store',
    ...(row?.kind === 'comment' && { 'Cache-Tag': tagOf(row.eventId) }),
  });

/** Comments, posts, questions, answers: services/realtime/PRODUCT.md#comments, #posts, #message-board */
export function contributionRoutes(deps: ContributionRoutesDeps): Router {
  const { pool, auth, isUnlimited, clock } = deps;
  const router = Router();
  const limits = new Map<string, RequestHandler>();
  const byAddress = ({ limits: { address } }: (typeof RULES)[Kind]): RequestHandler => {
    if (isUnlimited) return (_req, _res, next) => next();
    const limit = limits.get(address.name) ?? rateLimit(address);
    limits.set(address.name, limit);
    return limit;
  };
  const itemOf = (req: Request, kind: Kind) =>
    pathId(req, 'commentId' in req.params ? 'commentId' : 'id', RULES[kind].what);
  const viewerOf = (req: Request, kind: Kind): Viewer => (kind === 'comment' ? undefined : req.caller);

  async function threadsOf(rows: readonly Row[]): Promise<CommentThread[]> {
    const answers = await firstBelow(pool, rows, INLINE_ANSWERS);
    return rows.map((row) => ({
      ...toComment(row),
      answers: (answers.get(row.id) ?? []).map(toComment),
      answerCount: row.below,
    }));
  }
  const answerOf = async (row: Row, viewer: Viewer): Promise<object> =>
    row.kind === 'comment' ? (await threadsOf([row]))[0]! : SHOWN[row.kind](row, viewer);

  /** 201; a retry returns the same contribution. */
  const writing = (kind: Kind): RequestHandler[] => [
    byAddress(RULES[kind]),
    async (req, res) => {
      const key = idempotencyKeyOf(req);
      const id = await write(deps, callerOf(req), kind, DRAFTS[kind](req), key);
      const row = await findShown(pool, viewerOf(req, kind), kind, id);
      // If a retry's contribution was deleted or hidden, nothing is written.
      if (!row) return refuse(RULES[kind].gone);
      isPrivate(res, row)
        .status(201)
        .json(await answerOf(row, req.caller));
    },
  ];
  const changing =
    (kind: keyof typeof CHANGES): RequestHandler =>
    async (req, res) => {
      const id = itemOf(req, kind);
      await change(deps, callerOf(req), kind, id, CHANGES[kind](req.body));
      const row = await shown(pool, viewerOf(req, kind), kind, id);
      isPrivate(res, row).json(await answerOf(row, req.caller));
    };
  /** 204 even if the contribution is already gone, so that a repeat succeeds. */
  const removing =
    (kind: Kind): RequestHandler =>
    async (req, res) => {
      const id = itemOf(req, kind);
      const parentId = kind === 'post-comment' ? pathId(req, 'id', RULES.post.what) : undefined;
      isPrivate(res, await remove(deps, callerOf(req), kind, { id, parentId }))
        .status(204)
        .end();
    };
  const marking =
    (kind: Kind, name: Mark, isSet = true): RequestHandler =>
    async (req, res) => {
      const marked = { kind, id: itemOf(req, kind), mark: name, isSet };
      const { likes, shares } = await mark(pool, callerOf(req), marked, clock());
      const answers: Record<Mark, object> = {
        like: { likes, isLiked: isSet },
        share: { shares },
        follow: { isFollowed: isSet },
      };
      isPrivate(res).json(answers[name]);
    };

  router.post('/api/events/:id/comments', auth.signedIn, writing('comment'));
  router.patch('/api/comments/:commentId', auth.signedIn, changing('comment'));
  router.delete('/api/comments/:commentId', auth.signedIn, removing('comment'));

  router.post('/api/social-posts', auth.signedIn, writing('post'));
  router.patch('/api/social-posts/:id', auth.signedIn, changing('post'));
  router.delete('/api/social-posts/:id', auth.signedIn, removing('post'));
  router.post('/api/social-posts/:id/like', auth.signedIn, marking('post', 'like'));
  router.delete('/api/social-posts/:id/like', auth.signedIn, marking('post', 'like', false));
  router.post('/api/social-posts/:id/share', auth.signedIn, marking('post', 'share'));
  router.post('/api/social-posts/:id/comments', auth.signedIn, writing('post-comment'));
  router.delete('/api/social-posts/:id/comments/:commentId', auth.signedIn, removing('post-comment'));

  router.post('/api/message-board', auth.signedIn, writing('question'));
  router.patch('/api/message-board/:id', auth.signedIn, changing('question'));
  router.delete('/api/message-board/:id', auth.signedIn, removing('question'));
  router.post('/api/message-board/:id/like', auth.signedIn, marking('question', 'like'));
  router.delete('/api/message-board/:id/like', auth.signedIn, marking('question', 'like', false));
  router.post('/api/message-board/:id/follow', auth.signedIn, marking('question', 'follow'));
  router.delete('/api/message-board/:id/follow', auth.signedIn, marking('question', 'follow', false));
  router.post('/api/message-board/:id/answers', auth.signedIn, writing('answer'));
  router.delete('/api/message-board/answers/:id', auth.signedIn, removing('answer'));
  router.post('/api/message-board/answers/:id/like', auth.signedIn, marking('answer', 'like'));
  router.delete('/api/message-board/answers/:id/like', auth.signedIn, marking('answer', 'like', false));

  router.get('/api/events/:id/comments', async (req, res) => {
    const { cursor, limit } = CommentsQuery.parse(req.query);
    const eventId = pathId(req, 'id', 'event');
    const event = await notedEvent(pool, eventId);
    if (!event && !(await deps.events.isArriving(eventId))) throw notFound('event');
    if (!event) {
      // The event was just published, so it has no comments yet.
      isPrivate(res).json({ items: [], nextCursor: null, total: 0, closed: null });
      return;
    }
    const query = { kind: 'comment', eventId, order: 'newest', cursor, limit } as const;
    const { items, nextCursor } = await pageOf(pool, undefined, query, (row) => row);
    isPublic(res, eventId).json({
      items: await threadsOf(items),
      nextCursor,
      total: await commentCount(pool, eventId),
      closed: closedBy(event, clock()),
    });
  });

  /** 200 BlockedAuthors. 404 for an unknown event. */
  router.get('/api/events/:id/comments/blocked', auth.signedIn, async (req, res) => {
    const eventId = pathId(req, 'id', 'event');
    const { id, role } = callerOf(req);
    const event = await deps.events.of(eventId);
    if (!event) throw notFound('event');
    // Moderators see everything: a user who blocks a moderator must not evade moderation.
    const isModerating = role === 'admin' || event.ownerId === id;
    const authors = isModerating ? [] : await blockedAuthors(pool, id, eventId);
    isPrivate(res).json({ authors } satisfies BlockedAuthors);
  });

  router.get('/api/comments/:commentId/answers', async (req, res) => {
    const { cursor, limit } = AnswersQuery.parse(req.query);
    const comment = await find(pool, undefined, 'comment', itemOf(req, 'comment'));
    if (!comment) throw notFound(RULES.comment.what);
    const query = { kind: 'comment', parentId: comment.id, order: 'oldest', cursor, limit } as const;
    isPublic(res, comment.eventId).json(await pageOf(pool, undefined, query, toComment));
  });

  router.post('/api/comments/:commentId/report', auth.signedIn, async (req, res) => {
    const report = { id: String(itemOf(req, 'comment')), reporterId: callerOf(req).id, ...ReportBody.parse(req.body) };
    await reportContent(deps.moderated, 'comment', report);
    res.status(204).end();
  });

  router.get('/api/comments/reported', auth.signedIn, async (req, res) => {
    const query = ReportedQuery.parse(req.query);
    isPrivate(res).json(await reportedComments(deps, moderatorOf(req), query));
  });

  router.post('/api/comments/:commentId/moderation', auth.signedIn, async (req, res) => {
    const { action } = ModerationBody.parse(req.body);
    const id = itemOf(req, 'comment');
    const comment = await find(pool, undefined, 'comment', id);
    if (!comment) throw notFound(RULES.comment.what);
    if (!isModerator(comment, callerOf(req))) throw forbidden();
    const moderator = moderatorOf(req);
    await moderate(deps, 'comment', id, { moderator, action });
    const moderated = await moderatedComment(deps, moderator, id);
    if (!moderated) throw notFound(RULES.comment.what);
    isPrivate(res, comment).json(moderated);
  });

  /** The organizers that the reader follows, and the reader. */
  async function followedBy(req: Request): Promise<number[]> {
    if (!req.caller) throw unauthenticated();
    const { accounts } = FollowedAccounts.parse(await deps.catalog.get(`/internal/following/${req.caller.id}`));
    return [...new Set([...accounts, req.caller.id])];
  }

  router.get('/api/social-posts', auth.optional, async (req, res) => {
    const { feed, place, author, eventId, cursor, limit } = SocialPostsQuery.parse(req.query);
    const query: ThreadQuery = {
      kind: 'post',
      authorId: author,
      eventId,
      place: place === undefined ? undefined : placeNamed(place, 'place'),
      authors: feed === 'following' ? await followedBy(req) : undefined,
      order: 'newest',
      cursor,
      limit,
    };
    isPrivate(res).json(await pageOf(pool, req.caller, query, toPost));
  });

  router.get('/api/social-posts/:id', auth.optional, async (req, res) => {
    isPrivate(res).json(toPost(await shown(pool, req.caller, 'post', itemOf(req, 'post')), req.caller));
  });

  router.get('/api/social-posts/:id/comments', auth.optional, async (req, res) => {
    const { cursor, limit } = PostCommentsQuery.parse(req.query);
    const { id: parentId } = await shown(pool, req.caller, 'post', itemOf(req, 'post'));
    const query = { kind: 'post-comment', parentId, order: 'oldest', cursor, limit } as const;
    isPrivate(res).json(await pageOf(pool, req.caller, query, toPostComment));
  });

  router.get('/api/message-board', auth.optional, async (req, res) => {
    const { q, category, location, eventId, answered, cursor, limit } = QuestionsQuery.parse(req.query);
    const query: ThreadQuery = {
      kind: 'question',
      words: q,
      category,
      eventId,
      place: location === undefined ? undefined : placeNamed(location, 'location'),
      isAnswered: answered,
      order: 'pinned',
      cursor: cursor?.id,
      isCursorPinned: cursor?.isPinned,
      limit,
    };
    isPrivate(res).json(await pageOf(pool, req.caller, query, toQuestion));
  });

  router.get('/api/message-board/:id', auth.optional, async (req, res) => {
    const { cursor, limit } = QuestionQuery.parse(req.query);
    const question = await shown(pool, req.caller, 'question', itemOf(req, 'question'));
    const accepted =
      question.acceptedId === null ? undefined : await findShown(pool, req.caller, 'answer', question.acceptedId);
    const query = { kind: 'answer', parentId: question.id, order: 'oldest', cursor, limit } as const;
    const thread: QuestionThread = {
      question: toQuestion(question, req.caller),
      accepted: accepted ? toAnswer(accepted, req.caller) : null,
      answers: await pageOf(pool, req.caller, query, toAnswer),
    };
    isPrivate(res).json(thread);
  });

  const accepting =
    (isAccepted: boolean): RequestHandler =>
    async (req, res) => {
      const id = itemOf(req, 'answer');
      await accept(deps, callerOf(req), id, isAccepted);
      isPrivate(res).json(toAnswer(await shown(pool, req.caller, 'answer', id), req.caller));
    };
  router.post('/api/message-board/answers/:id/accept', auth.signedIn, accepting(true));
  router.delete('/api/message-board/answers/:id/accept', auth.signedIn, accepting(false));

  router.post('/internal/pictures/named', internalOnly(deps.internalToken), async (req, res) => {
    const { urls } = NamedPicturesBody.parse(req.body);
    res.json({ named: await namedPictures(pool, urls) } satisfies NamedPictures);
  });

  return router;
}
