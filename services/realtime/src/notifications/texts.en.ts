import type { Badge } from '@beltway/contracts/identity/points';
import { plannedWhenText } from '@beltway/contracts/common/when';
import type { AuthorToldV1, ContentKind } from '@beltway/contracts/identity/moderation';
import type { Change } from './noted.ts';
import type { MailScope } from './preferences.ts';

/** What is kept of a decision of moderation. */
export type Decided = Pick<AuthorToldV1['data'], 'kind' | 'action' | 'outcome'>;

const tickets = (count: number): string => (count === 1 ? '1 ticket' : `${count} tickets`);

const CHANGES: Record<Change, string> = {
  time: 'has a new time',
  place: 'has a new place',
  'time-and-place': 'has a new time and place',
  postponed: 'is postponed',
  rescheduled: 'has a new date',
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
};

const DECIDED: Record<Decided['action'], (thing: string) => string> = {
  hide: (thing) => `Your ${thing} is hidden`,
  restore: (thing) => `Your ${thing} is shown again`,
  remove: (thing) => `Your ${thing} was removed`,
  warn: (thing) => `A warning about your ${thing}`,
  suspend: () => 'Your account is suspended',
  reinstate: () => 'Your account is open again',
};

const ENDS: Record<MailScope, string> = {
  'ticket-sold': 'mails about tickets that you sell',
  'organizer-published': 'mails about organizers whom you follow',
  'search-matched': 'mails about your saved searches',
  'comment-answered': 'mails about answers to your comments',
  daily: 'these daily mails',
};

/** What notifications say, on the page and in mails. Each language has the same, of the same facts. */
export const english = {
  anEvent: 'An event',
  planned: (event: Parameters<typeof plannedWhenText>[0]) => plannedWhenText(event, 'en'),
  ticketBought: (count: number, title: string) =>
    count === 1 ? `Your ticket for ${title}` : `Your ${count} tickets for ${title}`,
  ticketSold: (count: number, title: string) => `${tickets(count)} sold for ${title}`,
  paidByBuyers: (money: string) => `${money} paid by buyers.`,
  changed: (title: string, change: Change | null) => `${title} ${(change && CHANGES[change]) ?? 'has changed'}`,
  stayValidForNewDate: 'Your tickets stay valid for the new date.',
  now: (when: string) => `Now: ${when}. Your tickets stay valid.`,
  canceled: (title: string) => `${title} was canceled`,
  ticketsVoid: 'Your tickets are void. What you paid goes back to your card.',
  fromOrganizer: 'From an organizer you follow.',
  isNew: (title: string) => `New: ${title}`,
  newEvents: (count: number) => `${count} new events`,
  latest: (title: string) => `From an organizer you follow. The latest: ${title}`,
  /** `names` are quoted; `others` are counted. */
  foundBy: (names: string[], others: number) => {
    const all = [...names.map((name) => `‘${name}’`), ...(others > 0 ? [`${others} more`] : [])];
    const list = all.length > 1 ? `${all.slice(0, -1).join(', ')} and ${all.at(-1)}` : all.join('');
    return names.length + others === 1 ? `Found by your search ${list}.` : `Found by your searches ${list}.`;
  },
  commentAnswered: (count: number) =>
    count === 1 ? 'Your comment has an answer' : `Your comment has ${count} new answers`,
  below: (title: string) => `Below ${title}`,
  replied: (count: number) =>
    count === 1 ? 'A question you follow has an answer' : `A question you follow has ${count} new answers`,
  onBoard: 'On the message board',
  about: (title: string) => `About ${title}`,
  refunded: (money: string) => `${money} refunded`,
  refundedFor: (title: string) => `For ${title}. Banks take a few days to show it.`,
  decided: (action: Decided['action'], kind: ContentKind) => DECIDED[action](THINGS[kind]),
  decisionReversed: 'We changed our decision',
  decisionStays: 'We stay with our decision',
  lookedAgain: (kind: ContentKind) => `Somebody of Beltway looked again at your ${THINGS[kind]}.`,
  decisionChanged: 'A decision of before was changed.',
  seeWhy: 'See why, and ask for another look if it is wrong.',
  badge: (name: string) => `You earned a badge: ${name}`,
  aBadge: 'You earned a badge',
  connection: 'Somebody you met wants to connect',
  sameEvent: 'You were at the same event.',
  /** A badge's name, or what it asks for, as the contracts have it. */
  ofBadge: ({ name, description }: Pick<Badge, 'id' | 'name' | 'description'>) => ({ name, description }),

  // Mails
  daily: 'Your day on Beltway',
  searchedFor: (count: number) => `${count} new events that you search for`,
  stop: (scope: MailScope) => `Stop ${ENDS[scope]}`,
  open: 'See it on Beltway',
  help: (support: string) => `Questions? Write to ${support}.`,
};

export type BellTexts = typeof english;
