import type { Comment } from '@beltway/contracts/realtime/comments';
import type { Answer, PostComment, PostType, Question, SocialPost } from '@beltway/contracts/realtime/community';
import { RULES, type Kind } from './kinds.ts';
import { shownPlace } from './places.ts';
import { isModerator, type Row, type Viewer } from './rows.ts';

// Converts a row to the contract of its kind.

const typeOf = ({ imageUrl, eventId }: Row): PostType => (imageUrl ? 'photo' : eventId ? 'event' : 'text');
const editedAtOf = ({ editedAt }: Row) => editedAt?.toISOString() ?? null;

/** The fields that all kinds share, except comments of events, which are the same for all readers. */
function sharedOf(row: Row, viewer: Viewer) {
  const isOwn = row.authorId === viewer?.id;
  const isOfParent = RULES[row.kind].hiddenBy === 'author of its parent' && row.parentAuthorId === viewer?.id;
  return {
    id: row.id,
    userId: row.authorId,
    userName: row.authorName,
    hasProfile: row.hasProfile,
    createdAt: row.createdAt.toISOString(),
    isOwn,
    mayRemove: viewer !== undefined && (isOwn || isOfParent || isModerator(row, viewer)),
  };
}

export const toPost = (row: Row, viewer: Viewer): SocialPost => ({
  ...sharedOf(row, viewer),
  type: typeOf(row),
  content: row.text!,
  imageUrl: row.imageUrl,
  eventId: row.eventId,
  eventTitle: row.eventTitle,
  place: shownPlace(row.placeId),
  likes: row.likes,
  comments: row.below,
  shares: row.shares,
  editedAt: editedAtOf(row),
  isOrganizer: row.authorId === row.ownerId,
  isLiked: row.isLiked,
});

export const toPostComment = (row: Row, viewer: Viewer): PostComment => ({
  ...sharedOf(row, viewer),
  postId: row.parentId!,
  text: row.text!,
});

export const toQuestion = (row: Row, viewer: Viewer): Question => ({
  ...sharedOf(row, viewer),
  question: row.text!,
  category: row.category as Question['category'],
  location: shownPlace(row.placeId),
  eventId: row.eventId,
  eventTitle: row.eventTitle,
  isAnswered: row.isAnswered,
  isPinned: row.isPinned,
  likes: row.likes,
  answers: row.below,
  editedAt: editedAtOf(row),
  isLiked: row.isLiked,
  isFollowed: row.isFollowed,
  mayPin: isModerator(row, viewer),
});

export const toAnswer = (row: Row, viewer: Viewer): Answer => ({
  ...sharedOf(row, viewer),
  questionId: row.parentId!,
  answer: row.text!,
  isVerified: row.isVerified,
  isAccepted: row.isAccepted,
  likes: row.likes,
  isLiked: row.isLiked,
});

/** A deleted or hidden comment shows only that it existed. */
export function toComment(row: Row): Comment {
  const state = row.deletedAt ? 'deleted' : row.hiddenAt ? 'hidden' : 'shown';
  const isShown = state === 'shown';
  return {
    id: row.id,
    eventId: row.eventId!,
    answerTo: row.parentId,
    state,
    author: isShown ? { id: row.authorId, name: row.authorName } : null,
    text: isShown ? row.text : null,
    isOrganizer: isShown && row.authorId === row.ownerId,
    createdAt: row.createdAt.toISOString(),
    editedAt: isShown ? editedAtOf(row) : null,
  };
}

/** For each kind, the conversion for a reader. */
export const SHOWN: Record<Kind, (row: Row, viewer: Viewer) => object> = {
  comment: toComment,
  post: toPost,
  'post-comment': toPostComment,
  question: toQuestion,
  answer: toAnswer,
};
