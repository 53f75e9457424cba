import type { ContentKind } from '@beltway/contracts/identity/moderation';
import { postPath, questionPath } from '@beltway/contracts/realtime/community';
import type { PlainText } from '@beltway/contracts/problems/texts';
import type { Named } from '@beltway/kit/problems';
import type { Quota } from '@beltway/kit/rate-limit';

export const KINDS = ['comment', 'post', 'post-comment', 'question', 'answer'] as const satisfies ContentKind[];
export type Kind = (typeof KINDS)[number];

export type Mark = 'like' | 'share' | 'follow';
/** The sentence of a 409. */
export type Refusal = PlainText;

interface Limits {
  /** The code of a 429. */
  code: string;
  /** All these kinds together, in a minute. */
  minute: { kinds: readonly Kind[]; max: number };
  /** Of this kind in a day; accounts younger than a day write fewer. */
  day: { usual: number; new: number };
  /** All accounts together, about one event in a minute. */
  eventMinute?: number;
  /** From one address, which a campus may share: counted by each instance. */
  address: Quota;
}

/** The rules of one kind. */
export interface KindRules {
  /** How a 404 names it. */
  what: Named;
  /** `event`: always about an event. `any`: about an event, a place, both or neither. `parent`: about what its parent is about. */
  subject: 'event' | 'any' | 'parent';
  /** The field that names the place, where there is one. */
  placeField?: string;
  /** The kind that it is written below: always, or not for each one (`isParentOptional`). */
  parent?: Kind;
  isParentOptional?: true;
  /** What can be written below one. `removed`: the refusal when it was removed; left out: 404. */
  below?: { max: number; full: Refusal; removed?: Refusal };
  /** What one event takes. */
  ofEvent?: { max: number; full: Refusal };
  limits: Limits;
  /** The refusal of a change once moderators hid it; left out: 404. */
  hidden?: Refusal;
  /** Its thread closes some time after its event, and with a cancellation. */
  closes?: true;
  /** An author writes the same words once about an event. */
  isSaidOnce?: true;
  /** A deleted one with others below it keeps its place; otherwise all below it is deleted, too. */
  keepsPlace?: true;
  /**
   * Who hides it by deleting it, beside the owner of the event and admins. `moderation`: no one deletes those of others; moderators use
   * the call for it.
   */
  hiddenBy?: 'author of its parent' | 'moderation';
  /** A retry whose contribution was deleted or hidden in the meantime. */
  gone: Refusal;
  /** A report of one's own. */
  own: Refusal;
  /** The page that shows it. */
  pathOf: (row: { id: number; parentId: number | null; eventId: number | null }) => string;
}

const COMMUNITY = {
  code: 'too-many-requests',
  minute: { kinds: ['post', 'post-comment', 'question', 'answer'], max: 6 },
  address: { name: 'community', points: 120, perSeconds: 600 },
} as const;
const OWN: Refusal = 'own-content';

/** The table of kinds (services/realtime/PRODUCT.md#comments, #posts, #message-board). Lengths of texts are in the contracts. */
export const RULES: Record<Kind, KindRules> = {
  /** Below an event, or an answer to one. */
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
