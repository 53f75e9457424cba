import { z } from 'zod';
import { fieldOr, IdText, optionalField } from '../common/basics.ts';
import { lineText, searchText } from '../common/text.ts';
import { writtenText } from './written-text.ts';
import { fault } from '../problems/fault.ts';

/** Characters at most. */
export const MAX_POST = 2_000;
export const MAX_POST_COMMENT = 500;
export const MAX_QUESTION = 500;
export const MAX_ANSWER = 2_000;
/** Accounts that one blocks, and their kin. */
export const MAX_BLOCKED = 1_000;

const Id = z.int().positive().max(2_147_483_647);
const pageLimit = (max: number, usual: number) => z.coerce.number().int().min(1).max(max).default(usual);
/** A place of the region, as the gazetteer names it or as people write it: `bethesda-md`, `Bethesda, MD`. */
const placeText = lineText(200, 'invalid.place');

/** A place of the region that a post or a question is about. */
export const CommunityPlace = z.object({ id: z.string(), name: z.string(), state: z.enum(['DC', 'MD', 'VA']) });
export type CommunityPlace = z.infer<typeof CommunityPlace>;

/** What a post is: words, a photo with some, or about going to an event. */
export const PostType = z.enum(['text', 'photo', 'event']);
export type PostType = z.infer<typeof PostType>;

/** A picture that media stored (`POST /api/images`), in its large size. */
const PostImage = z
  .string()
  .regex(/^\/media\/images\/[0-9a-f]{64}-[0-9a-f]{6}-large\.webp$/, fault('invalid.picture-uploaded'));

/**
 * POST /api/social-posts (services/realtime/PRODUCT.md#posts), with an `Idempotency-Key`. `place` left out: the
 * event's. The type follows from what
 * it has: `photo` with a picture, else `event` with an event, else `text`.
 */
export const SocialPostBody = z.strictObject({
  content: writtenText(MAX_POST),
  eventId: optionalField(Id),
  imageUrl: optionalField(PostImage),
  place: optionalField(placeText),
});
export type SocialPostBody = z.infer<typeof SocialPostBody>;

/** PATCH /api/social-posts/{id}: what changes, and nothing else. `imageUrl` null or empty: without a picture. */
export const EditSocialPostBody = z
  .strictObject({ content: writtenText(MAX_POST), imageUrl: fieldOr(PostImage, null) })
  .partial()
  .refine((body) => Object.keys(body).length > 0, fault('invalid.what-changes'));
export type EditSocialPostBody = z.infer<typeof EditSocialPostBody>;

/** A post as its reader sees it. */
export const SocialPost = z.object({
  id: z.int(),
  userId: z.int(),
  userName: z.string(),
  /** Whether its writer shows a profile to others, at /u/{userId}. */
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
  /** When its author last changed it. */
  editedAt: z.iso.datetime().nullable(),
  /** Written by who owns the event that it is about. */
  isOrganizer: z.boolean(),
  /** Whether the reader likes it, and wrote it; and whether they may remove it: its author, who owns its event, admins. */
  isLiked: z.boolean(),
  isOwn: z.boolean(),
  mayRemove: z.boolean(),
});
export type SocialPost = z.infer<typeof SocialPost>;

/** GET /api/social-posts, newest first. `feed=following`: of organizers that the reader follows, and their own. */
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

/** What liking (POST) and taking it back (DELETE) answer, of posts, questions and answers. */
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
  /** Whether its writer shows a profile to others, at /u/{userId}. */
  hasProfile: z.boolean().optional(),
  text: z.string(),
  createdAt: z.iso.datetime(),
  isOwn: z.boolean(),
  /** Its author, the post's, who owns the post's event, admins. */
  mayRemove: z.boolean(),
});
export type PostComment = z.infer<typeof PostComment>;

/** GET /api/social-posts/{id}/comments, oldest first. */
export const PostCommentsQuery = z.object({ cursor: IdText.optional(), limit: pageLimit(100, 50) });
export const PostCommentPage = z.object({ items: z.array(PostComment), nextCursor: z.string().nullable() });
export type PostCommentPage = z.infer<typeof PostCommentPage>;

/** What a question is about. */
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

/** POST /api/message-board (services/realtime/PRODUCT.md#message-board), with an `Idempotency-Key`. `location` left out: the event's. */
export const QuestionBody = z.strictObject({
  question: writtenText(MAX_QUESTION),
  category: fieldOr(QuestionCategory, 'general'),
  location: optionalField(placeText),
  eventId: optionalField(Id),
});
export type QuestionBody = z.infer<typeof QuestionBody>;

/** PATCH /api/message-board/{id}: `question` and `category` by who asked, `isPinned` by who owns its event, and admins. */
export const EditQuestionBody = z
  .strictObject({ question: writtenText(MAX_QUESTION), category: QuestionCategory, isPinned: z.boolean() })
  .partial()
  .refine((body) => Object.keys(body).length > 0, fault('invalid.what-changes'));
export type EditQuestionBody = z.infer<typeof EditQuestionBody>;

/** A question as its reader sees it. */
export const Question = z.object({
  id: z.int(),
  userId: z.int(),
  userName: z.string(),
  /** Whether its writer shows a profile to others, at /u/{userId}. */
  hasProfile: z.boolean().optional(),
  question: z.string(),
  category: QuestionCategory,
  location: CommunityPlace.nullable(),
  eventId: z.int().nullable(),
  eventTitle: z.string().nullable(),
  /** Who asked has accepted an answer. */
  isAnswered: z.boolean(),
  /** First in the questions of its event; one without an event first on the board. */
  isPinned: z.boolean(),
  likes: z.int(),
  answers: z.int(),
  createdAt: z.iso.datetime(),
  editedAt: z.iso.datetime().nullable(),
  isLiked: z.boolean(),
  /** The reader hears of its answers. */
  isFollowed: z.boolean(),
  isOwn: z.boolean(),
  /** Who owns its event, and admins. */
  mayPin: z.boolean(),
  mayRemove: z.boolean(),
});
export type Question = z.infer<typeof Question>;

/** Of a page of questions: whether it was a pinned one that it ended with, and its number. */
const questionCursor = z
  .string()
  .regex(/^[01]-[1-9]\d{0,9}$/, fault('invalid.cursor'))
  .transform((text) => ({ isPinned: text.startsWith('1'), id: Number(text.slice(2)) }))
  .refine(({ id }) => id <= 2_147_483_647, fault('invalid.cursor'));

/** GET /api/message-board: pinned ones first, then the newest. `q`: words of the question. */
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
  /** Whether its writer shows a profile to others, at /u/{userId}. */
  hasProfile: z.boolean().optional(),
  answer: z.string(),
  /** Written by who owns the question's event, or by an admin. */
  isVerified: z.boolean(),
  /** The one that helped, as who asked says. */
  isAccepted: z.boolean(),
  likes: z.int(),
  createdAt: z.iso.datetime(),
  isLiked: z.boolean(),
  isOwn: z.boolean(),
  mayRemove: z.boolean(),
});
export type Answer = z.infer<typeof Answer>;

/** GET /api/message-board/{id}: the question with a page of its answers, oldest first; the accepted one stands in `accepted` too. */
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

/** Where the page shows a post; cases of moderation lead there. */
export const postPath = (id: number): string => `/community/posts/${id}`;

/** Where the page shows a question; notifications lead there. */
export const questionPath = (id: number): string => `/community/questions/${id}`;

/** GET /api/blocks: whom the reader blocked, the latest first. */
export const BlocksQuery = z.object({ cursor: IdText.optional(), limit: pageLimit(100, 50) });
export const BlockPage = z.object({
  items: z.array(z.object({ userId: z.int(), userName: z.string().nullable(), at: z.iso.datetime() })),
  nextCursor: z.string().nullable(),
});
export type BlockPage = z.infer<typeof BlockPage>;

/** GET /internal/blocks/{userId}?others=, up to 100 numbers: those who block the account or are blocked by it. */
export const BlocksAmongQuery = z.object({
  others: z
    .string()
    .regex(/^[1-9]\d{0,9}(,[1-9]\d{0,9}){0,99}$/, fault('invalid.numbers'))
    .transform((text) => text.split(',').map(Number)),
});
export const BlocksAmong = z.object({ accounts: z.array(z.int()) });
export type BlocksAmong = z.infer<typeof BlocksAmong>;
