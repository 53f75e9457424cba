import { z } from 'zod';
import { fieldOr, IdText, optionalField } from '../common/basics.ts';
import { lineText, searchText } from '../common/text.ts';
import { writtenText } from './written-text.ts';
import { fault } from '../problems/fault.ts';

/** Maximum characters of each kind of text. */
export const MAX_POST = 2_000;
export const MAX_POST_COMMENT = 500;
export const MAX_QUESTION = 500;
export const MAX_ANSWER = 2_000;
/** Maximum number of accounts that one account may block. */
export const MAX_BLOCKED = 1_000;

const Id = z.int().positive().max(2_147_483_647);
const pageLimit = (max: number, usual: number) => z.coerce.number().int().min(1).max(max).default(usual);
/** A place of the region, given as its id in the gazetteer or its usual name: `bethesda-md`, `Bethesda, MD`. */
const placeText = lineText(200, 'invalid.place');

/** The place in the region to which a post or a question refers. */
export const CommunityPlace = z.object({ id: z.string(), name: z.string(), state: z.enum(['DC', 'MD', 'VA']) });
export type CommunityPlace = z.infer<typeof CommunityPlace>;

/** Type of a post: only text, a photo with text, or about an event. */
export const PostType = z.enum(['text', 'photo', 'event']);
export type PostType = z.infer<typeof PostType>;

/** The path of a picture that media stored (`POST /api/images`), in its large size. */
const PostImage = z
  .string()
  .regex(/^\/media\/images\/[0-9a-f]{64}-[0-9a-f]{6}-large\.webp$/, fault('invalid.picture-uploaded'));

/**
 * POST /api/social-posts (services/realtime/PRODUCT.md#posts), with an `Idempotency-Key`. If `place` is absent, the
 * post gets the event's place. The type is derived: `photo` if there is a picture, else `event` if there is an event,
 * else `text`.
 */
export const SocialPostBody = z.strictObject({
  content: writtenText(MAX_POST),
  eventId: optionalField(Id),
  imageUrl: optionalField(PostImage),
  place: optionalField(placeText),
});
export type SocialPostBody = z.infer<typeof SocialPostBody>;

/** PATCH /api/social-posts/{id}: only the fields that change. A null or empty `imageUrl` removes the picture. */
export const EditSocialPostBody = z
  .strictObject({ content: writtenText(MAX_POST), imageUrl: fieldOr(PostImage, null) })
  .partial()
  .refine((body) => Object.keys(body).length > 0, fault('invalid.what-changes'));
export type EditSocialPostBody = z.infer<typeof EditSocialPostBody>;

/** A post as a reader sees it. */
export const SocialPost = z.object({
  id: z.int(),
  userId: z.int(),
  userName: z.string(),
  /** Whether the post's author has a public profile, at /u/{userId}. */
  hasProfile: z.boolean().optional(),
  type: PostType,
  /** Plain text, with line breaks. */
  content: z.string(),
  imageUrl: z.string().nullable(),
  eventId: z.int().nullable(),
  eventTitle: z.string().nullable(),
  place: CommunityPlace.nullable(),
  likes: z.int(),
  comments: z.int(),
  shares: z.int(),
  createdAt: z.iso.datetime(),
  /** Time of the author's last edit. */
  editedAt: z.iso.datetime().nullable(),
  /** Written by the owner of the event to which the post belongs. */
  isOrganizer: z.boolean(),
  /**
   * Whether the reader likes the post, wrote it, and may remove it. The author, the event's owner and admins may remove
   * it.
   */
  isLiked: z.boolean(),
  isOwn: z.boolean(),
  mayRemove: z.boolean(),
});
export type SocialPost = z.infer<typeof SocialPost>;

/**
 * GET /api/social-posts, newest first. `feed=following`: posts of organizers that the reader follows, and the reader's
 * own posts.
 */
export const SocialPostsQuery = z.object({
  feed: z.enum(['all', 'following']).default('all'),
  place: placeText.optional(),
  author: IdText.optional(),
  eventId: IdText.optional(),
  cursor: IdText.optional(),
  limit: pageLimit(50, 20),
});
export type SocialPostsQuery = z.infer<typeof SocialPostsQuery>;
export const SocialPostPage = z.object({ items: z.array(SocialPost), nextCursor: z.string().nullable() });
export type SocialPostPage = z.infer<typeof SocialPostPage>;

/** Response to liking (POST) and unliking (DELETE) posts, questions and answers. */
export const Likes = z.object({ likes: z.int(), isLiked: z.boolean() });
export type Likes = z.infer<typeof Likes>;

/** POST /api/social-posts/{id}/share */
export const Shares = z.object({ shares: z.int() });
export type Shares = z.infer<typeof Shares>;

/** POST /api/social-posts/{id}/comments, with an `Idempotency-Key` */
export const PostCommentBody = z.strictObject({ text: writtenText(MAX_POST_COMMENT) });
export type PostCommentBody = z.infer<typeof PostCommentBody>;

export const PostComment = z.object({
  id: z.int(),
  postId: z.int(),
  userId: z.int(),
  userName: z.string(),
  /** Whether the comment's author has a public profile, at /u/{userId}. */
  hasProfile: z.boolean().optional(),
  text: z.string(),
  createdAt: z.iso.datetime(),
  isOwn: z.boolean(),
  /** True for the comment's author, the post's author, the owner of the post's event, and admins. */
  mayRemove: z.boolean(),
});
export type PostComment = z.infer<typeof PostComment>;

/** GET /api/social-posts/{id}/comments, oldest first. */
export const PostCommentsQuery = z.object({ cursor: IdText.optional(), limit: pageLimit(100, 50) });
export const PostCommentPage = z.object({ items: z.array(PostComment), nextCursor: z.string().nullable() });
export type PostCommentPage = z.infer<typeof PostCommentPage>;

/** Topic of a question. */
export const QuestionCategory = z.enum([
  'general',
  'tickets',
  'getting-there',
  'venues',
  'food',
  'music',
  'family',
  'access',
]);
export type QuestionCategory = z.infer<typeof QuestionCategory>;

/**
 * POST /api/message-board (services/realtime/PRODUCT.md#message-board), with an `Idempotency-Key`. If `location` is
 * absent, the question gets the event's place.
 */
export const QuestionBody = z.strictObject({
  question: writtenText(MAX_QUESTION),
  category: fieldOr(QuestionCategory, 'general'),
  location: optionalField(placeText),
  eventId: optionalField(Id),
});
export type QuestionBody = z.infer<typeof QuestionBody>;

/**
 * PATCH /api/message-board/{id}. The author may change `question` and `category`; the event's owner and admins may
 * change `isPinned`.
 */
export const EditQuestionBody = z
  .strictObject({ question: writtenText(MAX_QUESTION), category: QuestionCategory, isPinned: z.boolean() })
  .partial()
  .refine((body) => Object.keys(body).length > 0, fault('invalid.what-changes'));
export type EditQuestionBody = z.infer<typeof EditQuestionBody>;

/** A question as a reader sees it. */
export const Question = z.object({
  id: z.int(),
  userId: z.int(),
  userName: z.string(),
  /** Whether the question's author has a public profile, at /u/{userId}. */
  hasProfile: z.boolean().optional(),
  question: z.string(),
  category: QuestionCategory,
  location: CommunityPlace.nullable(),
  eventId: z.int().nullable(),
  eventTitle: z.string().nullable(),
  /** The question's author has accepted an answer. */
  isAnswered: z.boolean(),
  /** Listed first among the questions of its event, or first on the board if it has no event. */
  isPinned: z.boolean(),
  likes: z.int(),
  answers: z.int(),
  createdAt: z.iso.datetime(),
  editedAt: z.iso.datetime().nullable(),
  isLiked: z.boolean(),
  /** The reader gets notifications of new answers. */
  isFollowed: z.boolean(),
  isOwn: z.boolean(),
  /** True for the owner of the question's event and for admins. */
  mayPin: z.boolean(),
  mayRemove: z.boolean(),
});
export type Question = z.infer<typeof Question>;

/** Position of the last question of a page: whether it is pinned, and its id. */
const questionCursor = z
  .string()
  .regex(/^[01]-[1-9]\d{0,9}$/, fault('invalid.cursor'))
  .transform((text) => ({ isPinned: text.startsWith('1'), id: Number(text.slice(2)) }))
  .refine(({ id }) => id <= 2_147_483_647, fault('invalid.cursor'));

/** GET /api/message-board: pinned questions first, then the newest. `q`: words of the question. */
export const QuestionsQuery = z.object({
  q: searchText(100).optional(),
  category: QuestionCategory.optional(),
  location: placeText.optional(),
  eventId: IdText.optional(),
  answered: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
  cursor: questionCursor.optional(),
  limit: pageLimit(50, 20),
});
export type QuestionsQuery = z.infer<typeof QuestionsQuery>;
export const QuestionPage = z.object({ items: z.array(Question), nextCursor: z.string().nullable() });
export type QuestionPage = z.infer<typeof QuestionPage>;

/** POST /api/message-board/{id}/answers, with an `Idempotency-Key` */
export const AnswerBody = z.strictObject({ answer: writtenText(MAX_ANSWER) });
export type AnswerBody = z.infer<typeof AnswerBody>;

export const Answer = z.object({
  id: z.int(),
  questionId: z.int(),
  userId: z.int(),
  userName: z.string(),
  /** Whether the answer's author has a public profile, at /u/{userId}. */
  hasProfile: z.boolean().optional(),
  answer: z.string(),
  /** Written by the owner of the question's event, or by an admin. */
  isVerified: z.boolean(),
  /** The answer that the question's author accepted. */
  isAccepted: z.boolean(),
  likes: z.int(),
  createdAt: z.iso.datetime(),
  isLiked: z.boolean(),
  isOwn: z.boolean(),
  mayRemove: z.boolean(),
});
export type Answer = z.infer<typeof Answer>;

/**
 * GET /api/message-board/{id}: the question with a page of its answers, oldest first. `accepted` also contains the
 * accepted answer.
 */
export const QuestionQuery = z.object({ cursor: IdText.optional(), limit: pageLimit(100, 50) });
export const QuestionThread = z.object({
  question: Question,
  accepted: Answer.nullable(),
  answers: z.object({ items: z.array(Answer), nextCursor: z.string().nullable() }),
});
export type QuestionThread = z.infer<typeof QuestionThread>;

/** POST and DELETE /api/message-board/{id}/follow */
export const QuestionFollow = z.object({ isFollowed: z.boolean() });
export type QuestionFollow = z.infer<typeof QuestionFollow>;

/** The page of a post. Moderation cases link to it. */
export const postPath = (id: number): string => `/community/posts/${id}`;

/** The page of a question. Notifications link to it. */
export const questionPath = (id: number): string => `/community/questions/${id}`;

/** GET /api/blocks: the accounts that the reader blocked, latest first. */
export const BlocksQuery = z.object({ cursor: IdText.optional(), limit: pageLimit(100, 50) });
export const BlockPage = z.object({
  items: z.array(z.object({ userId: z.int(), userName: z.string().nullable(), at: z.iso.datetime() })),
  nextCursor: z.string().nullable(),
});
export type BlockPage = z.infer<typeof BlockPage>;

/**
 * GET /internal/blocks/{userId}?others=, with up to 100 ids: returns the accounts that block the user or are blocked by
 * the user.
 */
export const BlocksAmongQuery = z.object({
  others: z
    .string()
    .regex(/^[1-9]\d{0,9}(,[1-9]\d{0,9}){0,99}$/, fault('invalid.numbers', { max: 100 }))
    .transform((text) => text.split(',').map(Number)),
});
export const BlocksAmong = z.object({ accounts: z.array(z.int()) });
export type BlocksAmong = z.infer<typeof BlocksAmong>;
