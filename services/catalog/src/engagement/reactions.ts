import { EventCounts, type Interest } from '@beltway/contracts/identity/engagement';
import { only } from '@beltway/contracts/common/basics';
import { Overloaded } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import { batcher } from '@beltway/kit/batcher';
import { kysely } from '../db.ts';
import { eventReactions, eventShares } from '../generated/tables.ts';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { notFound } from '@beltway/kit/problems';
import { isTransient } from '@beltway/kit/transient';
import type { Pool } from 'pg';
import { LAST_DATE, overBefore } from '../event/queries.ts';
import { SHOWN_COUNTS, addToCounts, type CountChange, type Counted } from './counts.ts';

export type ReactionKind = 'like' | 'bookmark' | 'interest';
/** A requested reaction. `value` null withdraws it; a like and a bookmark have the value ''. */
interface Reaction {
  eventId: number;
  kind: ReactionKind;
  userId: number;
  value: Interest | '' | null;
}
interface Share {
  eventId: number;
  kind: 'share';
  /** `user:7`, or a digest of a visitor's network. */
  sharer: string;
}
export type ReactionRequest = Reaction | Share;

export interface Reactions {
  /**
   * Applies the request and returns the event's counts; idempotent. Throws 404 for an unknown event. Throws `Rejected`
   * if the event is canceled, or if the reaction is an interest and the event is past. Existing reactions can always be
   * withdrawn.
   */
  apply(request: ReactionRequest): Promise<EventCounts>;
  close(): void;
}

/**
 * Serializes batches across instances, so that even for a busy event no batch waits for rows that another batch has
 * locked.
 */
const LOCK = `select pg_advisory_xact_lock(hashtext('catalog.reactions'))`;

/** Plain SQL, like the statements below, because each batch in a rush of likes runs them. */
const EVENTS = `select l.event_id as "eventId", l.status, l.status <> 'postponed' and ${LAST_DATE} < $2 as "isOver", ${SHOWN_COUNTS}
  from listings l left join event_counts c using (event_id) where l.event_id = any($1::int[])`;

const KEYS = eventReactions.list(['userId', 'kind', 'eventId']);
const OF_KEYS = 'r.user_id = n.user_id and r.kind = n.kind and r.event_id = n.event_id';
const CURRENT = `select ${eventReactions.select(undefined, 'r')} from event_reactions r join ${KEYS.text} on ${OF_KEYS}`;
const REMOVE = `delete from event_reactions r using ${KEYS.text} where ${OF_KEYS}`;
const KEEP = eventReactions.insertMany(['userId', 'kind', 'eventId', 'value', 'createdAt'], {
  rest: eventReactions.onConflict(['userId', 'kind', 'eventId'], ['value']),
});

const SHARE = eventShares.insertMany(['eventId', 'sharer'], {
  same: ['createdAt'],
  rest: `on conflict do nothing returning ${eventShares.select(['eventId'])}`,
});

/** The count that includes a reaction; undefined for a bookmark, because bookmarks are private. */
function countOf(kind: ReactionKind, value: Interest | '' | null): 'likes' | Interest | undefined {
  if (value === null || kind === 'bookmark') return undefined;
  return kind === 'like' ? 'likes' : value === '' ? undefined : value;
}

type EventRow = Counted & { status: string; isOver: boolean };

function refusalOf(request: ReactionRequest, event: EventRow | undefined): Error | undefined {
  if (!event) return notFound('event');
  if (request.kind !== 'share' && request.value === null) return undefined;
  if (event.status === 'canceled') return new Rejected('event-canceled');
  if (request.kind === 'interest' && event.isOver) return new Rejected('event-over');
  return undefined;
}

/** The key of a reaction. If several requests have the same key, the last request applies. */
const keyOf = ({ userId, kind, eventId }: Pick<Reaction, 'userId' | 'kind' | 'eventId'>): string =>
  `${userId} ${kind} ${eventId}`;

const keysOf = (requests: readonly Reaction[]) =>
  KEYS.values(requests, {
    userId: ({ userId }) => userId,
    kind: ({ kind }) => kind,
    eventId: ({ eventId }) => eventId,
  });

/** Writes the reactions that differ from the stored ones. Returns the resulting changes of counts. */
async function react(tx: Queryable, requests: readonly Reaction[], now: Date): Promise<CountChange[]> {
  const last = [...new Map(requests.map((request) => [keyOf(request), request])).values()];
  if (last.length === 0) return [];
  const { rows } = await tx.query<Reaction>({ name: 'reactions', text: CURRENT, values: keysOf(last) });
  const current = new Map(rows.map((row) => [keyOf(row), row.value]));
  const changed = last
    .map((request) => ({ ...request, was: current.get(keyOf(request)) ?? null }))
    .filter(({ was, value }) => was !== value);

  const removed = changed.filter(({ value }) => value === null);
  if (removed.length > 0) await tx.query({ name: 'remove-reactions', text: REMOVE, values: keysOf(removed) });
  const kept = changed.flatMap(({ value, ...request }) => (value === null ? [] : [{ ...request, value }]));
  if (kept.length > 0) {
    const values = KEEP.values(kept, {
      userId: ({ userId }) => userId,
      kind: ({ kind }) => kind,
      eventId: ({ eventId }) => eventId,
      value: ({ value }) => value,
      createdAt: () => now,
    });
    await tx.query({ name: 'keep-reactions', text: KEEP.text, values });
  }
  return changed.flatMap(({ eventId, kind, was, value }) => {
    const [before, after] = [countOf(kind, was), countOf(kind, value)];
    return [
      ...(before ? [{ eventId, count: before, by: -1 }] : []),
      ...(after ? [{ eventId, count: after, by: 1 }] : []),
    ];
  });
}

/** Withdraws all reactions of an account. */
export const removeReactions = (pool: Pool, userId: number): Promise<void> =>
  transaction(pool, async (tx) => {
    await tx.query(LOCK);
    const rows = await kysely(tx)
      .deleteFrom('eventReactions')
      .where('userId', '=', userId)
      .returning(['eventId', 'kind', 'value'])
      .$narrowType<Pick<Reaction, 'kind'> & { value: Interest | '' }>()
      .execute();
    const changes = rows.flatMap(({ eventId, kind, value }) => {
      const counted = countOf(kind, value);
      return counted ? [{ eventId, count: counted, by: -1 }] : [];
    });
    await addToCounts(tx, changes);
  });

async function share(tx: Queryable, requests: readonly Share[], now: Date): Promise<CountChange[]> {
  if (requests.length === 0) return [];
  const values = SHARE.values(requests, {
    eventId: ({ eventId }) => eventId,
    sharer: ({ sharer }) => sharer,
    createdAt: () => now,
  });
  const { rows } = await tx.query<{ eventId: number }>({ name: 'share-events', text: SHARE.text, values });
  return rows.map(({ eventId }) => ({ eventId, count: 'shares', by: 1 }));
}

async function applyBatch(
  tx: Queryable,
  requests: readonly ReactionRequest[],
  now: Date,
): Promise<Array<EventCounts | Error>> {
  await tx.query(LOCK);
  const { rows } = await tx.query<EventRow>({
    name: 'reaction-events',
    text: EVENTS,
    values: [[...new Set(requests.map(({ eventId }) => eventId))], overBefore(now)],
  });
  const events = new Map(rows.map((row) => [row.eventId, row]));
  const refusals = requests.map((request) => refusalOf(request, events.get(request.eventId)));
  const granted = requests.filter((_, at) => !refusals[at]);

  const changes = [
    ...(await react(
      tx,
      granted.filter((request) => request.kind !== 'share'),
      now,
    )),
    ...(await share(
      tx,
      granted.filter((request) => request.kind === 'share'),
      now,
    )),
  ];
  const counts = new Map<number, EventCounts>(events);
  for (const counted of await addToCounts(tx, changes)) counts.set(counted.eventId, counted);
  return requests.map(({ eventId }, at) => refusals[at] ?? only(EventCounts, counts.get(eventId)!));
}

/**
 * Maximum requests per batch. Even if all requests of a batch are for one event, the batch writes that event's row only
 * once.
 */
const MAX_BATCH = 500;
const MAX_WAITING = 2_000;

/**
 * Writes likes, bookmarks, interests and shares in batches, one batch at a time. Requests that arrive during a batch
 * join the next one. A batch changes the counts of each event only once.
 */
export function openReactions({ pool, clock }: { pool: Pool; clock: () => Date }): Reactions {
  const send = (requests: ReactionRequest[]) => transaction(pool, (tx) => applyBatch(tx, requests, clock()));
  const batches = batcher(send, {
    concurrency: 1,
    maxConcurrency: 2,
    maxItems: MAX_BATCH,
    retryEach: (error) => !isTransient(error),
  });
  return {
    async apply(request) {
      if (batches.waiting() >= MAX_WAITING) throw new Overloaded();
      const answer = await batches.add(request);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    close: () => batches.close(new Overloaded()),
  };
}
