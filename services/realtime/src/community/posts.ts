import type { Pool, PoolClient } from 'pg';
import type {
  EditSocialPostBody,
  Likes,
  PostCommentBody,
  PostType,
  Shares,
  SocialPostBody,
} from '@beltway/contracts/realtime/community';
import { Rejected } from '@beltway/event-store';
import type { Caller } from '@beltway/kit/auth';
import type { InternalClient } from '@beltway/kit/internal';
import { transaction } from '@beltway/kit/postgres';
import { badField, forbidden, notFound } from '@beltway/kit/problems';
import { notedEvent } from '../notifications/noted.ts';
import { notBlocked } from './blocks.ts';
import { setHidden } from './hiding.ts';
import { keepPicture } from './pictures.ts';
import { placeColumns } from './places.ts';
import type { WriteOnce } from './write-once.ts';

/** Below one post. */
const MAX_COMMENTS = 10_000;

export interface Posting {
  pool: Pool;
  write: WriteOnce;
  /** Asked to keep pictures. */
  media: Pick<InternalClient, 'post'>;
  clock: () => Date;
}

const typeOf = (imageUrl: string | null | undefined, eventId: number | null | undefined): PostType =>
  imageUrl ? 'photo' : eventId ? 'event' : 'text';

/** Writes a post and gives its number; the same key again gives the same one. Throws 400 by field, 429, 503 without media. */
export async function addPost(
  { pool, write, media }: Posting,
  writer: Caller,
  body: SocialPostBody,
  key: string | undefined,
): Promise<number> {
  const { content, eventId, imageUrl } = body;
  const event = eventId === undefined ? undefined : await notedEvent(pool, eventId);
  if (eventId !== undefined && !event) throw badField('eventId', 'There is no such event');
  const { placeId, townId } = placeColumns(body.place, 'place', event?.location);
  if (imageUrl !== undefined) await keepPicture(media, imageUrl);
  return write({ kind: 'post', writer, key, body }, async (tx, now) => {
    const { rows } = await tx.query<{ id: number }>(
      `insert into social_posts (user_id, event_id, content, image_url, type, place_id, town_id, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
      [writer.id, eventId ?? null, content, imageUrl ?? null, typeOf(imageUrl, eventId), placeId, townId, now],
    );
    return rows[0]!.id;
  });
}

/** A post as those who change it need it. */
interface PostRow {
  userId: number;
  eventId: number | null;
  ownerId: number | null;
  imageUrl: string | null;
  comments: number;
  isHidden: boolean;
}

/** Until the transaction ends nobody else changes the post. Undefined for one that is gone, or that the two do not see of each other. */
async function locked(tx: PoolClient, id: number, viewerId: number | null): Promise<PostRow | undefined> {
  const { rows } = await tx.query<PostRow>({
    name: 'locked-post',
    text: `select p.user_id as "userId", p.event_id as "eventId", p.image_url as "imageUrl", p.comments,
        p.hidden_at is not null as "isHidden", (select e.owner_id from noted_events e where e.event_id = p.event_id) as "ownerId"
      from social_posts p where p.id = $2 and ${notBlocked('p.user_id', '$1')} for no key update of p`,
    values: [viewerId, id],
  });
  return rows[0];
}

/** A post that somebody can do something about. Throws 404. */
async function present(tx: PoolClient, id: number, viewerId: number): Promise<PostRow> {
  const post = await locked(tx, id, viewerId);
  if (!post || post.isHidden) throw notFound('This post');
  return post;
}

/** Changes one's own post. Throws 400, 403, 404, 503 without media. */
export async function editPost(
  { pool, media, clock }: Posting,
  writer: Caller,
  id: number,
  body: EditSocialPostBody,
): Promise<void> {
  // Before the post is locked: media may take its time.
  const look = (tx: PoolClient) =>
    present(tx, id, writer.id).then((post) => {
      if (post.userId !== writer.id) throw forbidden();
      return post;
    });
  if (typeof body.imageUrl === 'string') {
    const before = await transaction(pool, look);
    if (before.imageUrl !== body.imageUrl) await keepPicture(media, body.imageUrl);
  }
  await transaction(pool, async (tx) => {
    const post = await look(tx);
    const imageUrl = body.imageUrl === undefined ? post.imageUrl : body.imageUrl;
    await tx.query(
      `update social_posts set content = coalesce($2, content), image_url = $3, type = $4, edited_at = $5
       where id = $1 and (content <> coalesce($2, content) or image_url is distinct from $3)`,
      [id, body.content ?? null, imageUrl, typeOf(imageUrl, post.eventId), clock()],
    );
  });
}

const mayHide = (caller: Caller, ownerId: number | null) => caller.role === 'admin' || caller.id === ownerId;

/** Deletes one's own post with all below it; who owns its event, and admins, hide it. One that is gone is left alone. Throws 403. */
export const removePost = ({ pool, clock }: Posting, caller: Caller, id: number): Promise<void> =>
  transaction(pool, async (tx) => {
    // Blocking takes nothing out of a moderator's hands.
    const post = await locked(tx, id, null);
    if (!post) return;
    if (post.userId === caller.id) return void (await tx.query('delete from social_posts where id = $1', [id]));
    if (!mayHide(caller, post.ownerId)) throw forbidden();
    await setHidden(tx, 'post', id, true, clock());
  });

/** Likes a post (1), or takes that back (-1); a repeat changes nothing. Throws 404. */
export const likePost = ({ pool, clock }: Posting, userId: number, id: number, by: 1 | -1): Promise<Likes> =>
  transaction(pool, async (tx) => {
    await present(tx, id, userId);
    const { rowCount } =
      by === 1
        ? await tx.query(
            'insert into social_post_likes (post_id, user_id, created_at) values ($1, $2, $3) on conflict do nothing',
            [id, userId, clock()],
          )
        : await tx.query('delete from social_post_likes where post_id = $1 and user_id = $2', [id, userId]);
    const { rows } = await tx.query<{ likes: number }>(
      'update social_posts set likes = likes + $2 where id = $1 returning likes',
      [id, rowCount === 1 ? by : 0],
    );
    return { likes: rows[0]!.likes, isLiked: by === 1 };
  });

/** Counts that somebody shared a post, once for each account. Throws 404. */
export const sharePost = ({ pool, clock }: Posting, userId: number, id: number): Promise<Shares> =>
  transaction(pool, async (tx) => {
    await present(tx, id, userId);
    const { rowCount } = await tx.query(
      'insert into social_post_shares (post_id, user_id, created_at) values ($1, $2, $3) on conflict do nothing',
      [id, userId, clock()],
    );
    const { rows } = await tx.query<Shares>(
      'update social_posts set shares = shares + $2 where id = $1 returning shares',
      [id, rowCount ?? 0],
    );
    return rows[0]!;
  });

/** Writes a comment below a post and gives its number. Throws 404, 409, 429. */
export const addComment = (
  { write }: Posting,
  writer: Caller,
  postId: number,
  body: PostCommentBody,
  key: string | undefined,
): Promise<number> =>
  write({ kind: 'comment', writer, key, body: { postId, ...body } }, async (tx, now) => {
    const post = await present(tx, postId, writer.id);
    if (post.comments >= MAX_COMMENTS)
      throw new Rejected('too-many-comments', 'This post has all the comments it takes.');
    const { rows } = await tx.query<{ id: number }>(
      'insert into social_post_comments (post_id, user_id, text, created_at) values ($1, $2, $3, $4) returning id',
      [postId, writer.id, body.text, now],
    );
    await tx.query('update social_posts set comments = comments + 1 where id = $1', [postId]);
    return rows[0]!.id;
  });

/** Deletes one's own comment; the post's author, who owns its event, and admins, hide it. One that is gone is left alone. Throws 403. */
export const removeComment = (
  { pool, clock }: Posting,
  caller: Caller,
  { postId, commentId }: { postId: number; commentId: number },
): Promise<void> =>
  transaction(pool, async (tx) => {
    // Of a post that blocks them too: it is their own comment.
    const { rows } = await tx.query<{ userId: number; postUserId: number; ownerId: number | null; isHidden: boolean }>(
      `select c.user_id as "userId", c.hidden_at is not null as "isHidden", p.user_id as "postUserId",
         (select e.owner_id from noted_events e where e.event_id = p.event_id) as "ownerId"
       from social_post_comments c join social_posts p on p.id = c.post_id where c.id = $1 and p.id = $2 for no key update of p`,
      [commentId, postId],
    );
    const [comment] = rows;
    if (!comment) return;
    if (comment.userId === caller.id) {
      await tx.query(
        `with gone as (delete from social_post_comments where id = $1 returning post_id, hidden_at)
         update social_posts p set comments = comments - 1 from gone where p.id = gone.post_id and gone.hidden_at is null`,
        [commentId],
      );
      return;
    }
    if (caller.id !== comment.postUserId && !mayHide(caller, comment.ownerId)) throw forbidden();
    await setHidden(tx, 'post-comment', commentId, true, clock());
  });
