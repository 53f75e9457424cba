import { BADGES } from '@beltway/contracts/badges';
import { moneyText } from '@beltway/contracts/common';
import { questionPath } from '@beltway/contracts/community';
import type { AuthorToldV1, ContentKind } from '@beltway/contracts/moderation';
import type { Notification, NotificationKind } from '@beltway/contracts/notifications';
import { plannedWhenText } from '@beltway/contracts/when';
import type { Change, NotedEvent } from './noted.ts';

/** A notification as it is kept. Its words are made when it is read, of the event as it is then (decision 73). */
export interface Told {
  kind: NotificationKind;
  eventId: number | null;
  subjectId: number | null;
  count: number;
  amountCents: number | null;
  detail: string | null;
}

type Words = Pick<Notification, 'title' | 'text' | 'path'>;

const CHANGES: Record<Change, string> = {
  time: 'has a new time',
  place: 'has a new place',
  'time-and-place': 'has a new time and place',
  postponed: 'is postponed',
  rescheduled: 'has a new date',
};

const tickets = (count: number): string => (count === 1 ? '1 ticket' : `${count} tickets`);

/** Title, text and the page of a notification. Only what its reader may see; nobody else is named. */
export function wordsOf(told: Told, event: NotedEvent | null): Words {
  const { kind, count } = told;
  const title = event?.title ?? 'An event';
  const when = event ? plannedWhenText(event) : '';
  const eventPath = told.eventId === null ? '/' : `/event/${told.eventId}`;
  switch (kind) {
    case 'ticket-bought':
      return {
        title: count === 1 ? `Your ticket for ${title}` : `Your ${count} tickets for ${title}`,
        text: when,
        path: '/my-tickets',
      };
    case 'ticket-sold':
      return {
        title: `${tickets(count)} sold for ${title}`,
        text: `${moneyText(told.amountCents ?? 0)} paid by buyers.`,
        path: `/dashboard/events/${told.eventId}`,
      };
    case 'event-changed':
      return event?.status === 'cancelled'
        ? cancelled(title)
        : {
            title: `${title} ${CHANGES[told.detail as Change] ?? 'has changed'}`,
            text:
              event?.status === 'postponed'
                ? 'Your tickets stay valid for the new date.'
                : `Now: ${when}${event ? `, ${event.location}` : ''}. Your tickets stay valid.`,
            path: eventPath,
          };
    case 'event-cancelled':
      return cancelled(title);
    case 'organiser-published':
      if (count === 1 && event?.status === 'cancelled')
        return { title: `${title} was cancelled`, text: 'From an organiser you follow.', path: eventPath };
      return count === 1
        ? { title: `New: ${title}`, text: `From an organiser you follow. ${when}`.trim(), path: eventPath }
        : {
            title: `${count} new events`,
            text: `From an organiser you follow. The latest: ${title}`,
            path: `/organizer/${told.subjectId}`,
          };
    case 'search-matched':
      if (event?.status === 'cancelled')
        return { title: `${title} was cancelled`, text: foundBy(told), path: eventPath };
      return { title: `New: ${title}`, text: `${foundBy(told)} ${when}`.trim(), path: eventPath };
    case 'comment-answered':
      return {
        title: count === 1 ? 'Your comment has an answer' : `Your comment has ${count} new answers`,
        text: `Below ${title}`,
        path: `${eventPath}#comments`,
      };
    case 'reply':
      return {
        title: count === 1 ? 'A question you follow has an answer' : `A question you follow has ${count} new answers`,
        text: told.eventId === null ? 'On the message board' : `About ${title}`,
        path: told.subjectId === null ? '/' : questionPath(told.subjectId),
      };
    case 'refund-sent':
      return {
        title: `${moneyText(told.amountCents ?? 0)} refunded`,
        text: `For ${title}. Banks take a few days to show it.`,
        path: '/my-tickets',
      };
    case 'moderated':
      return { ...decidedWords(JSON.parse(told.detail ?? '{}') as Decided), path: '/moderation/mine' };
    case 'badge': {
      const badge = BADGES.find(({ id }) => id === told.detail);
      return {
        title: badge ? `You earned a badge: ${badge.name}` : 'You earned a badge',
        text: badge?.description ?? '',
        path: `/u/${told.subjectId}`,
      };
    }
  }
}

/** What is kept of a decision of moderation. */
export type Decided = Pick<AuthorToldV1['data'], 'kind' | 'action' | 'outcome'>;

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

function decidedWords({ kind, action, outcome }: Decided): Pick<Words, 'title' | 'text'> {
  const thing = THINGS[kind];
  if (outcome)
    return {
      title: outcome === 'reversed' ? 'We changed our decision' : 'We stay with our decision',
      text: `Somebody of Beltway looked again at your ${thing}.`,
    };
  const isBack = action === 'restore' || action === 'reinstate';
  return {
    title: DECIDED[action](thing),
    text: isBack ? 'A decision of before was changed.' : 'See why, and ask for another look if it is wrong.',
  };
}

/** Searches that are named; the others are counted. */
const MAX_NAMED = 3;

/** The searches that found it, by the names that they had then. */
function foundBy({ detail }: Told): string {
  const names = JSON.parse(detail ?? '[]') as string[];
  const named = names.slice(0, MAX_NAMED).map((name) => `‘${name}’`);
  const others = names.length - named.length;
  const all = [...named, ...(others > 0 ? [`${others} more`] : [])];
  const list = all.length > 1 ? `${all.slice(0, -1).join(', ')} and ${all.at(-1)}` : all.join('');
  return names.length === 1 ? `Found by your search ${list}.` : `Found by your searches ${list}.`;
}

const cancelled = (title: string): Words => ({
  title: `${title} was cancelled`,
  text: 'Your tickets are void. What you paid goes back to your card.',
  path: '/my-tickets',
});
