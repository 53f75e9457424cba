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

/**
 * A fact that concerns many accounts, which are notified in batches. Or a fact for one account that is known only after
 * a message of another topic has arrived.
 */
export type Fact =
  | { kind: 'event-changed'; eventId: number; version: number; detail: string }
  | { kind: 'event-canceled'; eventId: number }
  | { kind: 'organizer-published'; eventId: number; ownerId: number; seriesId?: number }
  | SearchMatched
  | ({ kind: 'reply'; eventId?: number } & Reply)
  | { kind: 'ticket-sold'; eventId: number; quantity: number; cents: number; buyerId: number | null }
  | { kind: 'refund-sent'; eventId: number; orderId: string; refundId: string; cents: number };

/** The current state of an event may match saved searches. */
interface SearchMatched {
  kind: 'search-matched';
  eventId: number;
  seriesId?: number;
  /** Whether the event was published before. */
  isChange?: true;
}

/** Maximum number of accounts in a batch. */
const PAGE = 1_000;

interface QueuedFact {
  fact: Fact;
  occurredAt: string;
  /** The last account that has been notified. */
  notifiedUntil: number;
}
/** Retried for about a day. */
const factQueue = (name: string): Queue<QueuedFact> => ({
  ...{ name, maxAttempts: 300, pauseMs: backoff(1_000, 300_000) },
  ...{ leaseSeconds: 30, concurrency: 1, keepsDone: false },
});
const facts = factQueue('notification-fact');
/**
 * A separate queue, because searches are slow and nothing else should wait for them. The key of a job is the event's
 * id.
 */
const searchMatches = factQueue('search-match');

/** Delay of searches after a change, because an organizer often changes an event again soon. */
const SETTLED_SECONDS = 60;

/**
 * Queues a fact in the transaction that handles its message, once for each message and kind. Searches match the newest
 * state of an event. A new state replaces an older state that waits or is being matched; matching then starts over from
 * the first account.
 */
export function noteFact(tx: Queryable, { id, occurredAt }: { id: string; occurredAt: string }, fact: Fact) {
  const data = { fact, occurredAt, notifiedUntil: 0 };
  if (fact.kind !== 'search-matched') return enqueue(tx, facts, [{ key: id, data }]);
  const afterSeconds = fact.isChange ? SETTLED_SECONDS : 0;
  return enqueue(tx, searchMatches, [{ key: String(fact.eventId), data, afterSeconds }], { again: true });
}

/** Sales of an event: one notification for each event and hour. */
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
      // All dates of a series share one notification.
      return seriesId === undefined
        ? { kind, key: `published:${ownerId}:${hourOf(at)}`, again: 'count', eventId, subjectId: ownerId }
        : { kind, key: `series:${seriesId}`, again: 'once', eventId, subjectId: ownerId };
    }
    case 'search-matched':
      // All dates of a series share one notification.
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
  /** Source of an organizer's followers. */
  catalog: Pick<InternalClient, 'get'>;
  /** Called after the commit, with the accounts that were notified. */
  tell: (userIds: readonly number[]) => void;
  clock: () => Date;
}

/** The accounts that are notified in one transaction. */
interface Page {
  userIds: readonly number[];
  /** For each account its own detail, in addition to the common fields. */
  details?: readonly string[];
  /** The account after which the next batch begins; null if this is the last batch. */
  next: number | null;
}

const everyone = (userIds: readonly number[]): Page => ({
  userIds,
  next: userIds.length < PAGE ? null : userIds.at(-1)!,
});
const NOBODY: Page = { userIds: [], next: null };
const one = (userId: number): Page => ({ userIds: [userId], next: null });

/**
 * Notifies every account of a fact once. The notifications of a batch and its last account are written in one
 * transaction. After a crash between two batches, the worker continues with the next batch.
 */
export function startFacts({ pool, log, catalog, tell, clock }: FactDeps): Worker {
  /**
   * If the event was canceled in the meantime, ticket holders are notified of the cancellation instead, and other
   * accounts are not notified.
   */
  const isCanceled = async (eventId: number) => (await notedEvent(pool, eventId))?.status === 'canceled';
  const isOff = async (eventId: number) => {
    const event = await notedEvent(pool, eventId);
    return event?.status === 'canceled' || event?.isSuspended === true;
  };

  /** The next accounts to notify. */
  async function nextPage(fact: Fact, after: number): Promise<Page> {
    switch (fact.kind) {
      case 'event-changed':
        return (await isCanceled(fact.eventId))
          ? NOBODY
          : everyone(await holdersOf(pool, fact.eventId, { after, limit: PAGE }));
      case 'event-canceled':
        return everyone(await holdersOf(pool, fact.eventId, { after, limit: PAGE, also: 'event-canceled' }));
      case 'organizer-published': {
        if (await isOff(fact.eventId)) return NOBODY;
        const answer = await catalog.get(`/internal/followers/${fact.ownerId}?after=${after}&limit=${PAGE}`);
        return everyone(Followers.parse(answer).accounts);
      }
      case 'search-matched': {
        if (await isOff(fact.eventId)) return NOBODY;
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
