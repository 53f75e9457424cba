import type { Pool } from 'pg';
import { Followers } from '@beltway/contracts/realtime/notifications';
import { SearchMatches } from '@beltway/contracts/catalog/saved-searches';
import { prepared, uuidFrom } from '@beltway/event-store';
import type { InternalClient } from '@beltway/kit/internal';
import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { followersOfQuestion, type Reply } from '../community/followers.ts';
import { buyerOf, holdersOf, notedEvent } from './noted.ts';
import { hourOf, isLate, ring, type Telling } from './ring.ts';

/** What is told to many, page by page, or to one whom another topic has yet to name. */
export type Fact =
  | { kind: 'event-changed'; eventId: number; version: number; detail: string }
  | { kind: 'event-cancelled'; eventId: number }
  | { kind: 'organiser-published'; eventId: number; ownerId: number; seriesId?: number }
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

interface FactRow {
  id: string;
  data: Fact;
  occurredAt: Date;
  toldUntil: number;
  attempts: number;
}

/** Accounts of a page, at most. */
const PAGE = 1_000;
const IDLE_MS = 5_000;
/** Who has taken a fact in hand has so long for its next page before another one takes it over. */
const LEASE_SECONDS = 30;
const PAUSES_SECONDS = [1, 2, 5, 15, 60, 300];

/** An organiser who changes an event changes it again soon: searches are asked once it has settled. */
const SETTLED_SECONDS = 60;

/**
 * Notes a fact, once for its message and kind, in the transaction that hears of it. What waits of an older state of an event that searches
 * are asked for makes way, also when it is under way: all are asked from the first on.
 */
export async function noteFact(
  tx: Queryable,
  { id, occurredAt }: { id: string; occurredAt: string },
  fact: Fact,
): Promise<void> {
  const isSearched = fact.kind === 'search-matched';
  if (isSearched)
    await tx.query(`delete from notification_facts where kind = 'search-matched' and data ->> 'eventId' = $1`, [
      String(fact.eventId),
    ]);
  await tx.query(
    `insert into notification_facts (id, kind, data, occurred_at, next_at)
     values ($1, $2, $3, $4, now() + make_interval(secs => $5)) on conflict (id) do nothing`,
    [
      ...[isSearched ? uuidFrom(`search-matched ${id}`) : id, fact.kind, JSON.stringify(fact), occurredAt],
      isSearched && fact.isChange ? SETTLED_SECONDS : 0,
    ],
  );
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

export const cancelledTelling = (eventId: number): Telling => ({
  kind: 'event-cancelled',
  key: `cancelled:${eventId}`,
  again: 'once',
  eventId,
});

function tellingOf(fact: Fact, at: Date): Telling {
  const { kind, eventId } = fact;
  switch (kind) {
    case 'event-changed':
      return { kind, key: `changed:${eventId}`, again: 'newest', eventId, version: fact.version, detail: fact.detail };
    case 'event-cancelled':
      return cancelledTelling(eventId);
    case 'organiser-published': {
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
  /** Asked who follows an organiser. */
  catalog: Pick<InternalClient, 'get'>;
  /** Hears who was told something, after it is committed. */
  tell: (userIds: readonly number[]) => void;
  clock: () => Date;
}

export interface Facts extends Poller {
  /** Tells all that is due now. */
  work(): Promise<void>;
}

/** What another topic has yet to say: the fact waits. */
class NotKnownYet extends Error {}

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

/** Searches take long to be asked: nothing else waits for them. */
const QUEUES = { searches: `kind = 'search-matched'`, others: `kind <> 'search-matched'` } as const;

/**
 * Tells the facts that wait, each account of each once: a page of accounts and how far it came are written in one transaction, by whoever
 * comes first. So a crash between two pages goes on with the next, and what was told rings no second time.
 */
export function startFacts(deps: FactDeps): Facts {
  const queues = [startQueue(deps, QUEUES.others), startQueue(deps, QUEUES.searches)];
  return {
    wake: () => queues.forEach(({ wake }) => wake()),
    work: async () => void (await Promise.all(queues.map(({ work }) => work()))),
    stop: async () => void (await Promise.all(queues.map(({ stop }) => stop()))),
  };
}

function startQueue({ pool, log, catalog, tell, clock }: FactDeps, which: string): Facts {
  /** Cancelled meanwhile: who holds tickets is told of that, and to nobody it is news any more. */
  const isCancelled = async (eventId: number) => (await notedEvent(pool, eventId))?.status === 'cancelled';

  /** The next accounts to be told. */
  async function nextPage({ data, toldUntil: after }: FactRow): Promise<Page> {
    switch (data.kind) {
      case 'event-changed':
        return (await isCancelled(data.eventId))
          ? NOBODY
          : everyone(await holdersOf(pool, data.eventId, { after, limit: PAGE }));
      case 'event-cancelled':
        return everyone(await holdersOf(pool, data.eventId, { after, limit: PAGE, also: 'event-cancelled' }));
      case 'organiser-published': {
        if (await isCancelled(data.eventId)) return NOBODY;
        const answer = await catalog.get(`/internal/followers/${data.ownerId}?after=${after}&limit=${PAGE}`);
        return everyone(Followers.parse(answer).accounts);
      }
      case 'search-matched': {
        if (await isCancelled(data.eventId)) return NOBODY;
        const answer = await catalog.get(`/internal/saved-searches/matches?event=${data.eventId}&after=${after}`);
        const { accounts, next } = SearchMatches.parse(answer);
        const details = accounts.map(({ names }) => JSON.stringify(names));
        return { userIds: accounts.map(({ id }) => id), details, next };
      }
      case 'reply':
        return everyone(await followersOfQuestion(pool, data, { after, limit: PAGE }));
      case 'ticket-sold': {
        const event = await notedEvent(pool, data.eventId);
        if (!event) throw new NotKnownYet(`event ${data.eventId} is not known here yet`);
        return event.ownerId === data.buyerId ? NOBODY : one(event.ownerId);
      }
      case 'refund-sent': {
        const buyer = await buyerOf(pool, data.orderId);
        if (buyer === undefined) throw new NotKnownYet(`order ${data.orderId} is not known here yet`);
        return buyer === null ? NOBODY : one(buyer);
      }
    }
  }

  const claim = async (): Promise<FactRow | undefined> => {
    const { rows } = await pool.query<FactRow>(
      prepared(
        `update notification_facts set attempts = attempts + 1, next_at = now() + make_interval(secs => ${LEASE_SECONDS})
         where id = (select id from notification_facts where next_at <= now() and ${which} order by next_at limit 1 for update skip locked)
         returning id, data, occurred_at as "occurredAt", told_until as "toldUntil", attempts`,
        [],
      ),
    );
    return rows[0];
  };

  /** False: it was the last one, or another one has told this page. */
  async function tellPage(fact: FactRow, { userIds, details, next }: Page): Promise<boolean> {
    const told = await transaction(pool, async (tx) => {
      const { rowCount } =
        next === null
          ? await tx.query('delete from notification_facts where id = $1 and told_until = $2', [
              ...[fact.id, fact.toldUntil],
            ])
          : await tx.query(
              `update notification_facts set told_until = $3, attempts = 1, next_at = now() + make_interval(secs => ${LEASE_SECONDS})
               where id = $1 and told_until = $2`,
              [fact.id, fact.toldUntil, next],
            );
      return rowCount === 0
        ? null
        : ring(tx, userIds, { ...tellingOf(fact.data, fact.occurredAt), ...(details && { details }) });
    });
    if (told === null) return false;
    tell(told);
    fact.toldUntil = next ?? fact.toldUntil;
    return next !== null;
  }

  let stopping = false;
  async function workOnce(): Promise<boolean> {
    const fact = await claim();
    if (!fact) return false;
    try {
      if (isLate(fact.occurredAt, clock())) {
        await pool.query('delete from notification_facts where id = $1', [fact.id]);
        return true;
      }
      while (!stopping && (await tellPage(fact, await nextPage(fact)))) {
        // page by page
      }
    } catch (error) {
      if (!(error instanceof NotKnownYet)) log.warn({ err: error, kind: fact.data.kind }, 'a notification waits');
      const pause = PAUSES_SECONDS[Math.min(fact.attempts, PAUSES_SECONDS.length) - 1]!;
      await pool.query('update notification_facts set next_at = now() + make_interval(secs => $2) where id = $1', [
        ...[fact.id, pause],
      ]);
    }
    return true;
  }

  const polling = startPolling(log, 'notifications', IDLE_MS, async () => !stopping && (await workOnce()));
  polling.wake();
  return {
    wake: polling.wake,
    work: async () => {
      while (await workOnce());
    },
    stop: () => {
      stopping = true;
      return polling.stop();
    },
  };
}
