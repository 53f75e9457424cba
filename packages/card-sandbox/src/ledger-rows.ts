import type { Pool } from 'pg';
import { int4s, texts } from '@beltway/event-store';

export interface Row {
  kind: string;
  parent: string | null;
  body: { id: string };
  hidden: unknown;
  /** The stored version on which this row is based; 0 for a new document. */
  version: number;
}
export interface EventRow {
  id: string;
  type: string;
  intent: string | null;
  /** The JSON text that is stored, signed and sent. */
  text: string;
}
export interface Known {
  key: string;
  fingerprint: string;
  status: number;
  body: unknown;
}
export interface Changes {
  dirty: Set<string>;
  events: EventRow[];
  keys: Known[];
}

export async function load(pool: Pool, ids: string[]): Promise<Map<string, Row>> {
  if (ids.length === 0) return new Map();
  const { rows } = await pool.query<Row & { id: string }>({
    name: 'sandbox-load',
    text: 'select id, kind, parent, body, hidden, version from objects where id = any($1)',
    values: [ids],
  });
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

export async function answered(pool: Pool, keys: string[]): Promise<Map<string, Known>> {
  if (keys.length === 0) return new Map();
  const { rows } = await pool.query<Known>({
    name: 'sandbox-known',
    text: 'select key, fingerprint, status, body from idempotency_keys where key = any($1)',
    values: [keys],
  });
  return new Map(rows.map((row) => [row.key, row]));
}

/** A delivery that was just planned. `now`: due immediately. */
export interface Owed {
  id: string;
  eventId: string;
  now: boolean;
}

/**
 * Writes all changes in one statement, and therefore in one transaction. Fails (22012, division by zero) if a document
 * was changed since it was read.
 */
const WRITE = `
with documents as (
  insert into objects (id, kind, parent, body, hidden, version)
  select id, kind, parent, body::json, hidden::json, version
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int[]) as o (id, kind, parent, body, hidden, version)
  on conflict (id) do update set body = excluded.body, hidden = excluded.hidden, version = excluded.version
    where objects.version = excluded.version - 1
  returning 1
), happened as (
  insert into events (id, type, intent, body)
  select id, type, intent, body::json
  from unnest($7::text[], $8::text[], $9::text[], $10::text[]) with ordinality as e (id, type, intent, body, n) order by n
), owed as (
  insert into deliveries (event_id, due)
  select id, coalesce(clock_timestamp() + make_interval(secs => ms / 1000.0), 'infinity')
  from unnest($11::text[], $12::int[]) with ordinality as d (id, ms, n) order by n
  returning id, event_id, due <= clock_timestamp() as now
), answers as (
  insert into idempotency_keys (key, fingerprint, status, body)
  select key, fingerprint, status, body::json
  from unnest($13::text[], $14::text[], $15::int[], $16::text[]) as k (key, fingerprint, status, body)
)
select 1 / (select (count(*) = cardinality($1::text[]))::int from documents) as whole,
  (select json_agg(json_build_object('id', id::text, 'eventId', event_id, 'now', now) order by id) from owed) as owed`;

/**
 * Writes the changes of a group of calls atomically (`decide.ts`). `planned`: the deliveries, each with its event's id and its delay in seconds.
 */
export async function write(
  pool: Pool,
  rows: Row[],
  { events, keys }: Pick<Changes, 'events' | 'keys'>,
  planned: Array<{ id: string; due: number }>,
): Promise<Owed[]> {
  const written = await pool.query<{ owed: Owed[] | null }>({
    name: 'sandbox-write',
    text: WRITE,
    values: [
      texts(rows.map(({ body }) => body.id)),
      texts(rows.map(({ kind }) => kind)),
      texts(rows.map(({ parent }) => parent)),
      texts(rows.map(({ body }) => JSON.stringify(body))),
      texts(rows.map(({ hidden }) => (hidden === null ? null : JSON.stringify(hidden)))),
      int4s(rows.map(({ version }) => version + 1)),
      texts(events.map(({ id }) => id)),
      texts(events.map(({ type }) => type)),
      texts(events.map(({ intent }) => intent)),
      texts(events.map(({ text }) => text)),
      texts(planned.map(({ id }) => id)),
      int4s(planned.map(({ due }) => (Number.isFinite(due) ? Math.round(due * 1_000) : null))),
      texts(keys.map(({ key }) => key)),
      texts(keys.map(({ fingerprint }) => fingerprint)),
      int4s(keys.map(({ status }) => status)),
      texts(keys.map(({ body }) => JSON.stringify(body))),
    ],
  });
  return written.rows[0]?.owed ?? [];
}

/** True if the cache was outdated: a document was changed, or an idempotency key was already used. */
export const isStale = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '22012' || error.code === '23505');

/** Reschedules pending deliveries. A delivery that waits for a retry keeps its due time, unless the mode is `lost`. */
export const REPLAN = `
update deliveries set due = case $1
  when 'lost' then 'infinity'::timestamptz
  when 'late' then greatest(clock_timestamp(), created + make_interval(secs => $2::float8))
  when 'shuffled' then clock_timestamp() + make_interval(secs => random() * $2::float8)
  else clock_timestamp() end
where state = 'pending' and ($1 = 'lost' or due = 'infinity' or attempts = 0)`;
