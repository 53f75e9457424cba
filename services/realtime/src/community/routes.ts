import { Router, type Request, type RequestHandler } from 'express';
import type { Pool } from 'pg';
import { IdText } from '@beltway/contracts/common/basics';
import {
  BlocksAmongQuery,
  BlocksQuery,
  EditSocialPostBody,
  PostCommentBody,
  PostCommentsQuery,
  SocialPostBody,
  SocialPostsQuery,
  type BlocksAmong,
  type SocialPost,
} from '@beltway/contracts/realtime/community';
import { NamedPicturesBody, type NamedPictures } from '@beltway/contracts/media/images';
import { FollowedAccounts } from '@beltway/contracts/catalog/organizers';
import { Rejected } from '@beltway/event-store';
import { callerOf, type Authenticator } from '@beltway/kit/auth';
import { idempotencyKeyOf } from '@beltway/kit/idempotency-key';
import { internalOnly, type InternalClient } from '@beltway/kit/internal';
import { notFound, unauthenticated } from '@beltway/kit/problems';
import { rateLimit } from '@beltway/kit/rate-limit';
import type { Secrets } from '@beltway/kit/secrets';
import { block, blockedBy, blocksAmong, unblock } from './blocks.ts';
import { ADDRESS } from './limits.ts';
import { namedPictures } from './pictures.ts';
import { commentFor, commentsOf, postFor, postsFor } from './post-queries.ts';
import { addComment, addPost, editPost, likePost, removeComment, removePost, sharePost } from './posts.ts';
import { writeOnce } from './write-once.ts';

export interface CommunityDeps {
  pool: Pool;
  auth: Pick<Authenticator, 'signedIn' | 'optional'>;
  internalToken: Secrets;
  /** Asked whom somebody follows. */
  catalog: Pick<InternalClient, 'get'>;
  /** Asked to keep pictures that posts name. */
  media: Pick<InternalClient, 'post'>;
  isUnlimited: boolean;
  /** Called when one of two accounts blocked the other, or ended it. */
  blocksChanged: (userId: number, otherId: number) => Promise<void>;
  clock: () => Date;
}

/** The number in a path; anything else names nothing: 404. */
export function idOf(text: unknown, what: string): number {
  const id = IdText.safeParse(text);
  if (!id.success) throw notFound(what);
  return id.data;
}

/** Of one address, unless nothing is limited. */
export const byAddressOf = (isUnlimited: boolean): RequestHandler =>
  isUnlimited ? (_req, _res, next) => next() : rateLimit(ADDRESS);

/** Posts, their comments, and who blocks whom: docs/product.md#posts */
export function communityRoutes({
  pool,
  auth,
  internalToken,
  catalog,
  media,
  isUnlimited,
  blocksChanged,
  clock,
}: CommunityDeps): Router {
  const router = Router();
  const write = writeOnce({ pool, isUnlimited, clock });
  const posting = { pool, write, media, clock };
  const byAddress = byAddressOf(isUnlimited);
  const postOf = (req: Request) => idOf(req.params['id'], 'This post');
  const shownPost = async (req: Request, id = postOf(req)): Promise<SocialPost> => {
    const post = await postFor(pool, req.caller, id);
    if (!post) throw notFound('This post');
    return post;
  };

  // All of it depends on who reads.
  router.use(['/api/social-posts', '/api/blocks'], (_req, res, next) => {
    res.set('Cache-Control', 'private, no-store');
    next();
  });

  /** Organisers that the reader follows, and themselves. */
  async function followedBy(req: Request): Promise<number[]> {
    if (!req.caller) throw unauthenticated();
    const { accounts } = FollowedAccounts.parse(await catalog.get(`/internal/following/${req.caller.id}`));
    return [...new Set([...accounts, req.caller.id])];
  }

  router.get('/api/social-posts', auth.optional, async (req, res) => {
    const { feed, ...query } = SocialPostsQuery.parse(req.query);
    const authors = feed === 'following' ? await followedBy(req) : undefined;
    res.json(await postsFor(pool, req.caller, { query, authors }));
  });

  router.post('/api/social-posts', auth.signedIn, byAddress, async (req, res) => {
    const key = idempotencyKeyOf(req);
    const id = await addPost(posting, callerOf(req), SocialPostBody.parse(req.body), key);
    const post = await postFor(pool, callerOf(req), id);
    // Sent again after it was deleted or hidden: it is not written anew.
    if (!post) throw new Rejected('post-gone', 'This post is not there any more.');
    res.status(201).json(post);
  });

  router.get('/api/social-posts/:id', auth.optional, async (req, res) => {
    res.json(await shownPost(req));
  });

  router.patch('/api/social-posts/:id', auth.signedIn, async (req, res) => {
    await editPost(posting, callerOf(req), postOf(req), EditSocialPostBody.parse(req.body));
    res.json(await shownPost(req));
  });

  /** 204 also for one that is gone: a repeat finds what it asked for. */
  router.delete('/api/social-posts/:id', auth.signedIn, async (req, res) => {
    await removePost(posting, callerOf(req), postOf(req));
    res.status(204).end();
  });

  router.post('/api/social-posts/:id/like', auth.signedIn, async (req, res) => {
    res.json(await likePost(posting, callerOf(req).id, postOf(req), 1));
  });

  router.delete('/api/social-posts/:id/like', auth.signedIn, async (req, res) => {
    res.json(await likePost(posting, callerOf(req).id, postOf(req), -1));
  });

  router.post('/api/social-posts/:id/share', auth.signedIn, async (req, res) => {
    res.json(await sharePost(posting, callerOf(req).id, postOf(req)));
  });

  router.get('/api/social-posts/:id/comments', auth.optional, async (req, res) => {
    const query = PostCommentsQuery.parse(req.query);
    res.json(await commentsOf(pool, req.caller, await shownPost(req), query));
  });

  router.post('/api/social-posts/:id/comments', auth.signedIn, byAddress, async (req, res) => {
    const key = idempotencyKeyOf(req);
    const body = PostCommentBody.parse(req.body);
    const id = await addComment(posting, callerOf(req), postOf(req), body, key);
    const comment = await commentFor(pool, req.caller, await shownPost(req), id);
    if (!comment) throw new Rejected('comment-gone', 'This comment is not there any more.');
    res.status(201).json(comment);
  });

  router.delete('/api/social-posts/:id/comments/:commentId', auth.signedIn, async (req, res) => {
    const commentId = idOf(req.params['commentId'], 'This comment');
    await removeComment(posting, callerOf(req), { postId: postOf(req), commentId });
    res.status(204).end();
  });

  router.get('/api/blocks', auth.signedIn, async (req, res) => {
    res.json(await blockedBy(pool, callerOf(req).id, BlocksQuery.parse(req.query)));
  });

  router.post('/api/blocks/:userId', auth.signedIn, async (req, res) => {
    const [{ id }, otherId] = [callerOf(req), idOf(req.params['userId'], 'This account')];
    await block(pool, id, otherId, clock());
    await blocksChanged(id, otherId);
    res.status(204).end();
  });

  router.delete('/api/blocks/:userId', auth.signedIn, async (req, res) => {
    const [{ id }, otherId] = [callerOf(req), idOf(req.params['userId'], 'This account')];
    await unblock(pool, id, otherId);
    await blocksChanged(id, otherId);
    res.status(204).end();
  });

  /** By identity, which shows people to each other. */
  router.get('/internal/blocks/:userId', internalOnly(internalToken), async (req, res) => {
    const { others } = BlocksAmongQuery.parse(req.query);
    const accounts = await blocksAmong(pool, idOf(req.params['userId'], 'This account'), others);
    res.json({ accounts } satisfies BlocksAmong);
  });

  router.post('/internal/pictures/named', internalOnly(internalToken), async (req, res) => {
    const { urls } = NamedPicturesBody.parse(req.body);
    res.json({ named: await namedPictures(pool, urls) } satisfies NamedPictures);
  });

  return router;
}
