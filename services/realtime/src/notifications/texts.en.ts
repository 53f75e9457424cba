import type { Badge } from '@beltway/contracts/identity/points';
import { plannedWhenText } from '@beltway/contracts/common/when';
import type { AuthorToldV1, ContentKind } from '@beltway/contracts/identity/moderation';
import type { Change } from './noted.ts';
import type { MailScope } from './preferences.ts';

/** The stored fields of a moderation decision. */
export type Decided = Pick<AuthorToldV1['data'], 'kind' | 'action' | 'outcome'>;

const tickets = (count: number): string => (count === 1 ? '1 ticket' : `${count} tickets`);

const CHANGES: Record<Change, string> = {
  time: 'has a new time',
  place: 'has a new location',
  'time-and-place': 'has a new time and location',
  postponed: 'is postponed',
  rescheduled: 'has a new date',
  suspended: 'is not on sale for now',
  resumed: 'is on sale again',
};

const THINGS: Record<ContentKind, string> = {
  comment: 'comment',
  photo: 'photo',
  video: 'video',
  message: 'message in a chat',
  post: 'post',
  'post-comment': 'comment on a post',
  question: 'question',
  answer: 'answer',
  event: 'event',
  account: 'account',
  ad: 'ad',
};

const DECIDED: Record<Decided['action'], (thing: string) => string> = {
  hide: (thing) => `Your ${thing} is hidden`,
  restore: (thing) => `Your ${thing} is shown again`,
  remove: (thing) => `Your ${thing} was removed`,
  warn: (thing) => `A warning about your ${thing}`,
  suspend: () => 'Your account is suspended',
  reinstate: () => 'Your account is active again',
};

const ENDS: Record<MailScope, string> = {
  'ticket-sold': 'emails about tickets you sell',
  'organizer-published': 'emails about organizers you follow',
  'search-matched': 'emails about your saved searches',
  'comment-answered': 'emails about replies to your comments',
  daily: 'these daily emails',
};

/** The texts of notifications, on the page and in mails. Each language has the same properties, with the same facts. */
export const english = {
  anEvent: 'An event',
  planned: (event: Parameters<typeof plannedWhenText>[0]) => plannedWhenText(event, 'en'),
  ticketBought: (count: number, title: string) =>
    count === 1 ? `Your ticket for ${title}` : `Your ${count} tickets for ${title}`,
  ticketSold: (count: number, title: string) => `${tickets(count)} sold for ${title}`,
  paidByBuyers: (money: string) => `Buyers paid ${money}.`,
  changed: (title: string, change: Change | null) => `${title} ${(change && CHANGES[change]) ?? 'has changed'}`,
  stayValid: 'Your tickets stay valid.',
  stayValidForNewDate: 'Your tickets stay valid for the new date.',
  now: (when: string) => `Now: ${when}. Your tickets stay valid.`,
  canceled: (title: string) => `${title} was canceled`,
  ticketsVoid: 'Your tickets are no longer valid. We’re refunding what you paid to your card.',
  fromOrganizer: 'From an organizer you follow.',
  isNew: (title: string) => `New: ${title}`,
  newEvents: (count: number) => `${count} new events`,
  latest: (title: string) => `From an organizer you follow. Latest: ${title}`,
  /** `names` are quoted; `others` are counted. */
  foundBy: (names: string[], others: number) => {
    const all = [...names.map((name) => `‘${name}’`), ...(others > 0 ? [`${others} more`] : [])];
    const list = all.length > 1 ? `${all.slice(0, -1).join(', ')} and ${all.at(-1)}` : all.join('');
    return names.length + others === 1 ? `Matches your saved search ${list}.` : `Matches your saved searches ${list}.`;
  },
  commentAnswered: (count: number) =>
    count === 1 ? 'New reply to your comment' : `${count} new replies to your comment`,
  below: (title: string) => `On ${title}`,
  replied: (count: number) =>
    count === 1 ? 'New answer to a question you follow' : `${count} new answers to a question you follow`,
  onBoard: 'In Questions',
  about: (title: string) => `About ${title}`,
  refunded: (money: string) => `${money} refunded`,
  refundedFor: (title: string) => `For ${title}. Banks show it within a few days.`,
  decided: (action: Decided['action'], kind: ContentKind) => DECIDED[action](THINGS[kind]),
  decisionReversed: 'We changed our decision',
  decisionStays: 'We’re keeping our decision',
  lookedAgain: (kind: ContentKind) => `Our team reviewed your ${THINGS[kind]} again.`,
  decisionChanged: 'We changed an earlier decision.',
  seeWhy: 'See why, and ask for a review if it’s wrong.',
  badge: (name: string) => `You earned a badge: ${name}`,
  aBadge: 'You earned a badge',
  connection: 'Someone you met wants to connect',
  sameEvent: 'You were both at the same event.',
  /** A badge's name and description, from the contracts. */
  ofBadge: ({ name, description }: Pick<Badge, 'id' | 'name' | 'description'>) => ({ name, description }),

  // Emails
  daily: 'Your day on Beltway',
  searchedFor: (count: number) => `${count} new events match your searches`,
  stop: (scope: MailScope) => `Stop ${ENDS[scope]}`,
  open: 'See it on Beltway',
  help: (support: string) => `Questions? Email ${support}.`,
};

export type BellTexts = typeof english;
