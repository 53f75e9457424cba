import type { ContentKind } from '@beltway/contracts/identity/moderation';
import { postPath, questionPath } from '@beltway/contracts/realtime/community';
import type { PlainText } from '@beltway/contracts/problems/texts';
import type { Named } from '@beltway/kit/problems';
import type { Quota } from '@beltway/kit/rate-limit';

export const KINDS = ['comment', 'post', 'post-comment', 'question', 'answer'] as const satisfies ContentKind[];
export type Kind = (typeof KINDS)[number];

export type Mark = 'like' | 'share' | 'follow';
/** The text of a 409 response. */
export type Refusal = PlainText;

interface Limits {
  /** The error code of a 429 response. */
  code: string;
  /** Limit per minute for all of these kinds together. */
  minute: { kinds: readonly Kind[]; max: number };
  /** Limit per day for this kind. The limit is lower for accounts younger than a day. */
  day: { usual: number; new: number };
  /** Limit per minute for all accounts together about one event. */
  eventMinute?: number;
  /** Limit for one IP address, which a whole campus may share. Each instance counts separately. */
  address: Quota;
}

/** The rules of one kind. */
export interface KindRules {
  /** The name of the kind in a 404. */
  what: Named;
  /**
   * `event`: always about an event. `any`: about an event, a place, both or neither. `parent`: has the same subject as
   * its parent.
   */
  subject: 'event' | 'any' | 'parent';
  /** The name of the field with the place, if the kind has one. */
  placeField?: string;
  /** The kind of the parent. A parent is required, unless `isParentOptional` is set. */
  parent?: Kind;
  isParentOptional?: true;
  /**
   * Limit on the contributions below one contribution of this kind. `removed`: the refusal if the parent was removed;
   * without `removed`, 404.
   */
  below?: { max: number; full: Refusal; removed?: Refusal };
  /** Limit for one event. */
  ofEvent?: { max: number; full: Refusal };
  limits: Limits;
  /** The refusal of a change to a contribution that moderators hid; without `hidden`, 404. */
  hidden?: Refusal;
  /** The thread closes some time after the event ends, and when the event is canceled. */
  closes?: true;
  /** An author may post the same text only once about an event. */
  isSaidOnce?: true;
  /**
   * A deleted contribution keeps its place if others are below it. Without this rule, everything below is deleted, too.
   */
  keepsPlace?: true;
  /**
   * Who may hide the contribution by deleting it, besides the event's owner and admins. `moderation`: only the author
   * may delete; moderators use the moderation call.
   */
  hiddenBy?: 'author of its parent' | 'moderation';
  /** The refusal of a retry whose contribution was deleted or hidden in the meantime. */
  gone: Refusal;
  /** The refusal of a report about one's own contribution. */
  own: Refusal;
  /** The path of the page that shows the contribution. */
  pathOf: (row: { id: number; parentId: number | null; eventId: number | null }) => string;
}

const COMMUNITY = {
  code: 'too-many-requests',
  minute: { kinds: ['post', 'post-comment', 'question', 'answer'], max: 6 },
  address: { name: 'community', points: 120, perSeconds: 600 },
} as const;
const OWN: Refusal = 'own-content';

/**
 * The rules of each kind (services/realtime/PRODUCT.md#comments, #posts, #message-board). The maximum lengths of texts
 * are in the contracts.
 */
export const RULES: Record<Kind, KindRules> = {
  /** A comment below an event, or an answer to such a comment. */
  comment: {
    what: 'comment',
    subject: 'event',
    parent: 'comment',
    isParentOptional: true,
    below: {
      max: 500,
      full: 'too-many-answers.comment',
      removed: 'comment-gone',
    },
    ofEvent: { max: 10_000, full: 'too-many-comments.event' },
    limits: {
      code: 'too-many-comments',
      minute: { kinds: ['comment'], max: 6 },
      day: { usual: 100, new: 100 },
      eventMinute: 120,
      address: { name: 'comments', points: 60, perSeconds: 600 },
    },
    hidden: 'comment-hidden',
    closes: true,
    isSaidOnce: true,
    keepsPlace: true,
    hiddenBy: 'moderation',
    gone: 'comment-gone',
    own: 'own-comment',
    pathOf: ({ eventId }) => `/event/${eventId}#comments`,
  },
  post: {
    what: 'post',
    subject: 'any',
    placeField: 'place',
    below: { max: 10_000, full: 'too-many-comments.post' },
    limits: { ...COMMUNITY, day: { usual: 30, new: 5 } },
    gone: 'post-gone',
    own: OWN,
    pathOf: ({ id }) => postPath(id),
  },
  'post-comment': {
    what: 'comment',
    subject: 'parent',
    parent: 'post',
    limits: { ...COMMUNITY, day: { usual: 100, new: 20 } },
    hiddenBy: 'author of its parent',
    gone: 'comment-gone',
    own: OWN,
    pathOf: ({ parentId }) => postPath(parentId!),
  },
  question: {
    what: 'question',
    subject: 'any',
    placeField: 'location',
    below: {
      max: 500,
      full: 'too-many-answers.question',
      removed: 'question-removed.no-answers',
    },
    limits: { ...COMMUNITY, day: { usual: 20, new: 3 } },
    gone: 'question-removed',
    own: OWN,
    pathOf: ({ id }) => questionPath(id),
  },
  answer: {
    what: 'answer',
    subject: 'parent',
    parent: 'question',
    limits: { ...COMMUNITY, day: { usual: 100, new: 20 } },
    gone: 'answer-gone',
    own: OWN,
    pathOf: ({ parentId }) => questionPath(parentId!),
  },
};
