import { BADGES } from '@beltway/contracts/identity/badges';
import type { Language } from '@beltway/contracts/common/languages';
import { moneyText } from '@beltway/contracts/common/basics';
import { questionPath } from '@beltway/contracts/realtime/community';
import type { Notification, NotificationKind } from '@beltway/contracts/realtime/notifications';
import type { Change, NotedEvent } from './noted.ts';
import { english, type BellTexts, type Decided } from './texts.en.ts';
import { spanish } from './texts.es.ts';

/**
 * A stored notification. The text is made when the notification is read, from the event's current state (decision 73).
 */
export interface Told {
  kind: NotificationKind;
  eventId: number | null;
  subjectId: number | null;
  count: number;
  amountCents: number | null;
  detail: string | null;
}

type Words = Pick<Notification, 'title' | 'text' | 'path'>;

/** The texts of notifications in each language. */
export const bellTexts: Record<Language, BellTexts> = { en: english, es: spanish };

/** Title, text and path of a notification. Contains only what the reader may see, and names no other account. */
export function wordsOf(told: Told, event: NotedEvent | null, language: Language): Words {
  const say = bellTexts[language];
  const { kind, count } = told;
  const title = event?.title ?? say.anEvent;
  const when = event ? say.planned(event) : '';
  const eventPath = told.eventId === null ? '/' : `/event/${told.eventId}`;
  switch (kind) {
    case 'ticket-bought':
      return {
        title: say.ticketBought(count, title),
        text: when,
        path: '/my-tickets',
      };
    case 'ticket-sold':
      return {
        title: say.ticketSold(count, title),
        text: say.paidByBuyers(moneyText(told.amountCents ?? 0)),
        path: `/dashboard/events/${told.eventId}`,
      };
    case 'event-changed':
      return event?.status === 'canceled'
        ? canceled(say, title)
        : {
            title: say.changed(title, told.detail as Change | null),
            text: event?.isSuspended
              ? say.stayValid
              : event?.status === 'postponed'
                ? say.stayValidForNewDate
                : say.now(`${when}${event ? `, ${event.location}` : ''}`),
            path: eventPath,
          };
    case 'event-canceled':
      return canceled(say, title);
    case 'organizer-published':
      if (count === 1 && event?.status === 'canceled')
        return { title: say.canceled(title), text: say.fromOrganizer, path: eventPath };
      return count === 1
        ? { title: say.isNew(title), text: `${say.fromOrganizer} ${when}`.trim(), path: eventPath }
        : {
            title: say.newEvents(count),
            text: say.latest(title),
            path: `/organizer/${told.subjectId}`,
          };
    case 'search-matched':
      if (event?.status === 'canceled')
        return { title: say.canceled(title), text: foundBy(say, told), path: eventPath };
      return { title: say.isNew(title), text: `${foundBy(say, told)} ${when}`.trim(), path: eventPath };
    case 'comment-answered':
      return {
        title: say.commentAnswered(count),
        text: say.below(title),
        path: `${eventPath}#comments`,
      };
    case 'reply':
      return {
        title: say.replied(count),
        text: told.eventId === null ? say.onBoard : say.about(title),
        path: told.subjectId === null ? '/' : questionPath(told.subjectId),
      };
    case 'refund-sent':
      return {
        title: say.refunded(moneyText(told.amountCents ?? 0)),
        text: say.refundedFor(title),
        path: '/my-tickets',
      };
    case 'moderated':
      return { ...decidedWords(say, JSON.parse(told.detail ?? '{}') as Decided), path: '/moderation/mine' };
    case 'connection':
      return {
        title: say.connection,
        text: say.sameEvent,
        path: '/community/connections',
      };
    case 'badge': {
      const found = BADGES.find(({ id }) => id === told.detail);
      const badge = found && say.ofBadge(found);
      return {
        title: badge ? say.badge(badge.name) : say.aBadge,
        text: badge?.description ?? '',
        path: `/u/${told.subjectId}`,
      };
    }
  }
}

function decidedWords(say: BellTexts, { kind, action, outcome }: Decided): Pick<Words, 'title' | 'text'> {
  if (outcome)
    return {
      title: outcome === 'reversed' ? say.decisionReversed : say.decisionStays,
      text: say.lookedAgain(kind),
    };
  const isBack = action === 'restore' || action === 'reinstate';
  return {
    title: say.decided(action, kind),
    text: isBack ? say.decisionChanged : say.seeWhy,
  };
}

/** Maximum number of searches that are named; other searches are only counted. */
const MAX_NAMED = 3;

/** The searches that found the event, with the names that they had at that time. */
function foundBy(say: BellTexts, { detail }: Told): string {
  const names = JSON.parse(detail ?? '[]') as string[];
  const named = names.slice(0, MAX_NAMED);
  return say.foundBy(named, names.length - named.length);
}

const canceled = (say: BellTexts, title: string): Words => ({
  title: say.canceled(title),
  text: say.ticketsVoid,
  path: '/my-tickets',
});
