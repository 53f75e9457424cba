import type {
  PostComment,
  PostCommentPage,
  SocialPost,
  SocialPostPage,
  SocialPostsQuery,
} from '@beltway/contracts/realtime/community';
import type { Caller } from '@beltway/kit/auth';
import type { Queryable } from '@beltway/kit/postgres';
import { notBlocked } from './blocks.ts';
import { isAbout, placeNamed, shownPlace } from './places.ts';

/** Who reads; nobody when they are not signed in. */
export type Viewer = Caller | undefined;

interface Row {
  id: number;
  userId: number;
  userName: string;
  hasProfile: boolean;
  type: SocialPost['type'];
  content: string;
  imageUrl: string | null;
  eventId: number | null;
  eventTitle: string | null;
  ownerId: number | null;
  placeId: string | null;
  likes: number;
  comments: number;
  shares: number;
  createdAt: Date;
  editedAt: Date | null;
  isLiked: boolean;
}

/** From `social_posts p`, for the reader `$1`. */
const SELECT = `select p.id, p.user_id as "userId", coalesce(w.name, '') as "userName", coalesce(w.is_visible, false) as "hasProfile", p.type, p.content, p.image_url as "imageUrl",
  p.event_id as "eventId", e.title as "eventTitle", e.owner_id as "ownerId", p.place_id as "placeId", p.likes, p.comments, p.shares,
  p.created_at as "createdAt", p.edited_at as "editedAt",
  exists (select from social_post_likes l where l.post_id = p.id and l.user_id = $1) as "isLiked"`;
const JOINS = `left join community_people w on w.user_id = p.user_id left join noted_events e on e.event_id = p.event_id`;
const SEEN = `p.hidden_at is null and ${notBlocked('p.user_id', '$1::integer')}`;

function asPost({ ownerId, placeId, createdAt, editedAt, ...row }: Row, viewer: Viewer): SocialPost {
  const isOwn = row.userId === viewer?.id;
  return {
    ...row,
    place: shownPlace(placeId),
    createdAt: createdAt.toISOString(),
    editedAt: editedAt?.toISOString() ?? null,
    isOrganiser: row.userId === ownerId,
    isOwn,
    mayRemove: viewer !== undefined && (isOwn || viewer.id === ownerId || viewer.role === 'admin'),
  };
}

/** Undefined when there is none that the reader may see. */
export async function postFor(db: Queryable, viewer: Viewer, id: number): Promise<SocialPost | undefined> {
  const { rows } = await db.query<Row>({
    name: 'social-post',
    text: `${SELECT} from social_posts p ${JOINS} where p.id = $2 and ${SEEN}`,
    values: [viewer?.id ?? null, id],
  });
  return rows[0] && asPost(rows[0], viewer);
}

interface Feed {
  query: Omit<SocialPostsQuery, 'feed'>;
  /** Of these accounts alone. */
  authors: readonly number[] | undefined;
}

/**
 * The statement of a page. Each page is read from the end of an index: of all posts, or of one author, event, place or town; of those whom
 * one follows the first of each author, and of these the newest.
 */
export function statementOf(viewer: Viewer, { query, authors }: Feed): { text: string; values: unknown[] } {
  const values: unknown[] = [viewer?.id ?? null, query.cursor ?? 2_147_483_647, query.limit + 1];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const place = query.place === undefined ? undefined : placeNamed(query.place, 'place');
  const conditions = [
    'p.id < $2',
    'p.hidden_at is null',
    ...(query.author === undefined ? [] : [`p.user_id = ${parameter(query.author)}`]),
    ...(query.eventId === undefined ? [] : [`p.event_id = ${parameter(query.eventId)}`]),
    ...(place ? [isAbout(place, 'p', parameter(place.id))] : []),
  ].join(' and ');
  const source = authors
    ? `unnest(${parameter(authors)}::integer[]) f (id) cross join lateral
        (select * from social_posts p where p.user_id = f.id and ${conditions} order by p.id desc limit $3) p`
    : 'social_posts p';
  return {
    text: `${SELECT} from ${source} ${JOINS} where ${conditions} and ${SEEN} order by p.id desc limit $3`,
    values,
  };
}

/** A page of posts that the reader may see, newest first. */
export async function postsFor(db: Queryable, viewer: Viewer, feed: Feed): Promise<SocialPostPage> {
  const { rows } = await db.query<Row>(statementOf(viewer, feed));
  const items = rows.slice(0, feed.query.limit).map((row) => asPost(row, viewer));
  return { items, nextCursor: rows.length > items.length ? String(items.at(-1)!.id) : null };
}

interface CommentRow {
  id: number;
  postId: number;
  userId: number;
  userName: string;
  hasProfile: boolean;
  text: string;
  createdAt: Date;
}

const COMMENT = `select c.id, c.post_id as "postId", c.user_id as "userId", coalesce(w.name, '') as "userName", coalesce(w.is_visible, false) as "hasProfile", c.text,
  c.created_at as "createdAt" from social_post_comments c left join community_people w on w.user_id = c.user_id`;
const COMMENT_SEEN = `c.hidden_at is null and ${notBlocked('c.user_id', '$1::integer')}`;

const asComment = ({ createdAt, ...row }: CommentRow, viewer: Viewer, post: SocialPost): PostComment => ({
  ...row,
  createdAt: createdAt.toISOString(),
  isOwn: row.userId === viewer?.id,
  mayRemove: row.userId === viewer?.id || post.mayRemove,
});

/** A page of the comments below a post, oldest first. */
export async function commentsOf(
  db: Queryable,
  viewer: Viewer,
  post: SocialPost,
  { cursor, limit }: { cursor?: number | undefined; limit: number },
): Promise<PostCommentPage> {
  const { rows } = await db.query<CommentRow>(
    `${COMMENT} where c.post_id = $2 and c.id > $3 and ${COMMENT_SEEN} order by c.id limit $4`,
    [viewer?.id ?? null, post.id, cursor ?? 0, limit + 1],
  );
  const items = rows.slice(0, limit).map((row) => asComment(row, viewer, post));
  return { items, nextCursor: rows.length > limit ? String(items.at(-1)!.id) : null };
}

/** Undefined when it is gone. */
export async function commentFor(
  db: Queryable,
  viewer: Viewer,
  post: SocialPost,
  id: number,
): Promise<PostComment | undefined> {
  const { rows } = await db.query<CommentRow>(`${COMMENT} where c.id = $2 and ${COMMENT_SEEN}`, [
    ...[viewer?.id ?? null, id],
  ]);
  return rows[0] && asComment(rows[0], viewer, post);
}
