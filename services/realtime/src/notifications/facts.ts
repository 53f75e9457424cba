import type { Pool } from 'pg';
import { Followers } from '@beltway/contracts/notifications';
import type { InternalClient } from '@beltway/kit/internal';
import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { buyerOf, holdersOf, notedEvent } from './noted.ts';
import { hourOf, isLate, ring, type Telling } from './ring.ts';

/** What is told to many, page by page, or to one whom another topic has yet to name. */
export type Fact =
  | { kind: 'event-changed'; eventId: number; version: number; detail: string }
  | { kind: 'event-cancelled'; eventId: number }
  | { kind: 'organiser-published'; eventId: number; ownerId: number; seriesId?: number }
  | { kind: 'ticket-sold'; eventId: number; quantity: number; cents: number; buyerId: number | null }
  | { kind: 'refund-sent'; eventId: number; orderId: string; refundId: string; cents: number };

interface FactRow {
  id: string;
  data: Fact;
  occurredAt: Date;
  toldUntil: number;
  attempts: number;
}

/** Accounts that are told in one transaction. */
const PAGE = 1_000;
const IDLE_MS = 5_000;
/** Who has taken a fact in hand has so long for its next page before another one takes it over. */
const LEASE_SECONDS = 30;
const PAUSES_SECONDS = [1, 2, 5, 15, 60, 300];

/** Notes a fact, once for its message, in the transaction that hears of it. */
export const noteFact = (tx: Queryable, messageId: string, occurredAt: string, fact: Fact) =>
  tx.query(
    'insert into notification_facts (id, kind, data, occurred_at) values ($1, $2, $3, $4) on conflict (id) do nothing',
    [messageId, fact.kind, JSON.stringify(fact), occurredAt],
  );

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

/**
 * Tells the facts that wait, each account of each once: a page of accounts and how far it came are written in one transaction, by whoever
 * comes first. So a crash between two pages goes on with the next, and what was told rings no second time.
 */
export function startFacts({ pool, log, catalog, tell, clock }: FactDeps): Facts {
  /** Cancelled meanwhile: who holds tickets is told of that, and to nobody it is news any more. */
  const isCancelled = async (eventId: number) => (await notedEvent(pool, eventId))?.status === 'cancelled';

  /** The next accounts to be told; fewer than a page are the last ones. */
  async function nextPage({ data, toldUntil: after }: FactRow): Promise<number[]> {
    switch (data.kind) {
      case 'event-changed':
        return (await isCancelled(data.eventId)) ? [] : holdersOf(pool, data.eventId, { after, limit: PAGE });
      case 'event-cancelled':
        return holdersOf(pool, data.eventId, { after, limit: PAGE, also: 'event-cancelled' });
      case 'organiser-published':
        if (await isCancelled(data.eventId)) return [];
        return Followers.parse(await catalog.get(`/internal/followers/${data.ownerId}?after=${after}&limit=${PAGE}`))
          .accounts;
      case 'ticket-sold': {
        const event = await notedEvent(pool, data.eventId);
        if (!event) throw new NotKnownYet(`event ${data.eventId} is not known here yet`);
        return event.ownerId === data.buyerId ? [] : [event.ownerId];
      }
      case 'refund-sent': {
        const buyer = await buyerOf(pool, data.orderId);
        if (buyer === undefined) throw new NotKnownYet(`order ${data.orderId} is not known here yet`);
        return buyer === null ? [] : [buyer];
      }
    }
  }

  const claim = async (): Promise<FactRow | undefined> => {
    const { rows } = await pool.query<FactRow>(
      `update notification_facts set attempts = attempts + 1, next_at = now() + make_interval(secs => ${LEASE_SECONDS})
       where id = (select id from notification_facts where next_at <= now() order by next_at limit 1 for update skip locked)
       returning id, data, occurred_at as "occurredAt", told_until as "toldUntil", attempts`,
    );
    return rows[0];
  };

  /** False: another one has told this page. */
  async function tellPage(fact: FactRow, userIds: number[]): Promise<boolean> {
    const isLast = userIds.length < PAGE;
    const told = await transaction(pool, async (tx) => {
      const { rowCount } = isLast
        ? await tx.query('delete from notification_facts where id = $1 and told_until = $2', [fact.id, fact.toldUntil])
        : await tx.query(
            'update notification_facts set told_until = $3, attempts = 1 where id = $1 and told_until = $2',
            [fact.id, fact.toldUntil, userIds.at(-1)],
          );
      return rowCount === 0 ? null : ring(tx, userIds, tellingOf(fact.data, fact.occurredAt));
    });
    if (told === null) return false;
    tell(told);
    fact.toldUntil = userIds.at(-1) ?? fact.toldUntil;
    return !isLast;
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
