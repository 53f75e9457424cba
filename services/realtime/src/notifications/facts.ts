import type { Pool, PoolClient } from 'pg';
import { Followers } from '@beltway/contracts/realtime/notifications';
import { SearchMatches } from '@beltway/contracts/catalog/saved-searches';
import { afterCommit } from '@beltway/kit/after-commit';
import { backoff } from '@beltway/kit/backoff';
import type { InternalClient } from '@beltway/kit/internal';
import { enqueue, NotYet, startQueue, type Queue, type Worker } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';
import type { Queryable } from '@beltway/kit/postgres';
import { followersOfQuestion, type Reply } from '../contributions/followers.ts';
import { buyerOf, holdersOf, notedEvent } from './noted.ts';
import { hourOf, isLate, ring, type Telling } from './ring.ts';

/** What is told to many, page by page, or to one whom another topic has yet to name. */
export type Fact =
  | { kind: 'event-changed'; eventId: number; version: number; detail: string }
  | { kind: 'event-canceled'; eventId: number }
  | { kind: 'organizer-published'; eventId: number; ownerId: number; seriesId?: number }
  | SearchMatched
  | ({ kind: 'reply'; eventId?: number } & Reply)
  | { kind: 'ticket-sold'; eventId: number; quantity: number; cents: number; buyerId: number | null }
  | { kind: 'refund-sent'; eventId: number; orderId: string; refundId: string; cents: number };

/** Saved searches may find the event as it is now. */
interface SearchMatched {
  kind: 'search-matched';
  eventId: number;
  seriesId?: number;
  /** It was published before. */
  isChange?: true;
}

/** Accounts of a page, at most. */
const PAGE = 1_000;

interface QueuedFact {
  fact: Fact;
  occurredAt: string;
  /** The last account that was notified. */
  notifiedUntil: number;
}
/** It is tried for about a day. */
const factQueue = (name: string): Queue<QueuedFact> => ({
  ...{ name, maxAttempts: 300, pauseMs: backoff(1_000, 300_000) },
  ...{ leaseSeconds: 30, concurrency: 1, keepsDone: false },
});
const facts = factQueue('notification-fact');
/** Searches take long, and nothing else waits for them. Keys are events. */
const searchMatches = factQueue('search-match');

/** An organizer who changes an event changes it again soon: searches are asked once it has settled. */
const SETTLED_SECONDS = 60;

/**
 * Queues a fact, once for its message and kind, in the transaction of the message. Searches match the newest state of an event: it replaces
 * an older one that waits or is being matched, and matching starts over from the first account.
 */
export function noteFact(tx: Queryable, { id, occurredAt }: { id: string; occurredAt: string }, fact: Fact) {
  const data = { fact, occurredAt, notifiedUntil: 0 };
  if (fact.kind !== 'search-matched') return enqueue(tx, facts, [{ key: id, data }]);
  const afterSeconds = fact.isChange ? SETTLED_SECONDS : 0;
  return enqueue(tx, searchMatches, [{ key: String(fact.eventId), data, afterSeconds }], { again: true });
}

/** Who sold what: one notification for an event and hour. */
export const soldTelling = (
  { eventId, quantity, cents }: { eventId: number; quantity: number; cents: number },
  at: string | Date,
): Telling => ({
  kind: 'ticket-sold',
  key: `sold:${eventId}:${hourOf(at)}`,
  again: 'count',
  eventId,
  count: quantity,
  amountCents: cents,
});

export const refundTelling = (eventId: number, refundId: string, cents: number): Telling => ({
  kind: 'refund-sent',
  key: `refund:${refundId}`,
  again: 'once',
  eventId,
  amountCents: cents,
});

export const canceledTelling = (eventId: number): Telling => ({
  kind: 'event-canceled',
  key: `canceled:${eventId}`,
  again: 'once',
  eventId,
});

function tellingOf(fact: Fact, at: Date): Telling {
  const { kind, eventId } = fact;
  switch (kind) {
    case 'event-changed':
      return { kind, key: `changed:${eventId}`, again: 'newest', eventId, version: fact.version, detail: fact.detail };
    case 'event-canceled':
      return canceledTelling(eventId);
    case 'organizer-published': {
      const { ownerId, seriesId } = fact;
      // All dates of a series are one thing to hear of.
      return seriesId === undefined
        ? { kind, key: `published:${ownerId}:${hourOf(at)}`, again: 'count', eventId, subjectId: ownerId }
        : { kind, key: `series:${seriesId}`, again: 'once', eventId, subjectId: ownerId };
    }
    case 'search-matched':
      // All dates of a series are one thing to hear of.
      return {
        kind,
        key: fact.seriesId === undefined ? `searched:${eventId}` : `searched-series:${fact.seriesId}`,
        again: 'once',
        eventId,
        mailedBy: 'hour',
      };
    case 'reply':
      return {
        ...{ kind, key: `replies:${fact.questionId}:${hourOf(at)}`, again: 'count', subjectId: fact.questionId },
        ...(eventId !== undefined && { eventId }),
      };
    case 'ticket-sold':
      return soldTelling(fact, at);
    case 'refund-sent':
      return refundTelling(eventId, fact.refundId, fact.cents);
  }
}

export interface FactDeps {
  pool: Pool;
  log: Logger;
  /** Asked who follows an organizer. */
  catalog: Pick<InternalClient, 'get'>;
  /** Hears who was told something, after it is committed. */
  tell: (userIds: readonly number[]) => void;
  clock: () => Date;
}

/** Accounts that are told in one transaction. */
interface Page {
  userIds: readonly number[];
  /** What each of them is told beside what all are. */
  details?: readonly string[];
  /** The account after which the next page begins; null: this is the last one. */
  next: number | null;
}

const everyone = (userIds: readonly number[]): Page => ({
  userIds,
  next: userIds.length < PAGE ? null : userIds.at(-1)!,
});
const NOBODY: Page = { userIds: [], next: null };
const one = (userId: number): Page => ({ userIds: [userId], next: null });

/**
 * Notifies every account of a fact once: a page of accounts and the last of them are written in one transaction. After a crash between two
 * pages it continues with the next one.
 */
export function startFacts({ pool, log, catalog, tell, clock }: FactDeps): Worker {
  /** Canceled meanwhile: who holds tickets is told of that, and to nobody it is news any more. */
  const isCanceled = async (eventId: number) => (await notedEvent(pool, eventId))?.status === 'canceled';

  /** The next accounts to be told. */
  async function nextPage(fact: Fact, after: number): Promise<Page> {
    switch (fact.kind) {
      case 'event-changed':
        return (await isCanceled(fact.eventId))
          ? NOBODY
          : everyone(await holdersOf(pool, fact.eventId, { after, limit: PAGE }));
      case 'event-canceled':
        return everyone(await holdersOf(pool, fact.eventId, { after, limit: PAGE, also: 'event-canceled' }));
      case 'organizer-published': {
        if (await isCanceled(fact.eventId)) return NOBODY;
        const answer = await catalog.get(`/internal/followers/${fact.ownerId}?after=${after}&limit=${PAGE}`);
        return everyone(Followers.parse(answer).accounts);
      }
      case 'search-matched': {
        if (await isCanceled(fact.eventId)) return NOBODY;
        const answer = await catalog.get(`/internal/saved-searches/matches?event=${fact.eventId}&after=${after}`);
        const { accounts, next } = SearchMatches.parse(answer);
        const details = accounts.map(({ names }) => JSON.stringify(names));
        return { userIds: accounts.map(({ id }) => id), details, next };
      }
      case 'reply':
        return everyone(await followersOfQuestion(pool, fact, { after, limit: PAGE }));
      case 'ticket-sold': {
        const event = await notedEvent(pool, fact.eventId);
        if (!event) throw new NotYet(`event ${fact.eventId} is not known here yet`);
        return event.ownerId === fact.buyerId ? NOBODY : one(event.ownerId);
      }
      case 'refund-sent': {
        const buyer = await buyerOf(pool, fact.orderId);
        if (buyer === undefined) throw new NotYet(`order ${fact.orderId} is not known here yet`);
        return buyer === null ? NOBODY : one(buyer);
      }
    }
  }

  const start = (queue: Queue<QueuedFact>) =>
    startQueue({ pool, log }, queue, async ({ data }) => {
      const { fact, occurredAt, notifiedUntil } = data;
      if (isLate(occurredAt, clock())) return;
      const { userIds, details, next } = await nextPage(fact, notifiedUntil);
      const write = async (tx: PoolClient) => {
        const told = await ring(tx, userIds, { ...tellingOf(fact, new Date(occurredAt)), ...(details && { details }) });
        afterCommit(tx, () => tell(told));
      };
      return { write, ...(next !== null && { againAfter: 0, data: { ...data, notifiedUntil: next } }) };
    });

  const workers = [start(facts), start(searchMatches)];
  return {
    wake: () => workers.forEach(({ wake }) => wake()),
    work: async () => void (await Promise.all(workers.map(({ work }) => work()))),
    stop: async () => void (await Promise.all(workers.map(({ stop }) => stop()))),
  };
}
