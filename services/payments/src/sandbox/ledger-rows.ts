import type { PoolClient } from 'pg';
import type { Work } from './ledger.ts';

export interface Row {
  kind: string;
  parent: string | null;
  body: { id: string };
  hidden: unknown;
}
export interface EventRow {
  id: string;
  type: string;
  intent: string | null;
  body: unknown;
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

export async function load(client: PoolClient, ids: string[]): Promise<Map<string, Row>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<Row & { id: string }>({
    name: 'sandbox-load',
    text: 'select id, kind, parent, body, hidden from objects where id = any($1) order by id for update',
    values: [ids],
  });
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

export async function answered(client: PoolClient, group: Work[]): Promise<Map<string, Known>> {
  const names = group.flatMap((work) => (work.key ? [work.key.name] : []));
  if (names.length === 0) return new Map();
  const { rows } = await client.query<Known>({
    name: 'sandbox-known',
    text: 'select key, fingerprint, status, body from idempotency_keys where key = any($1)',
    values: [names],
  });
  return new Map(rows.map((row) => [row.key, row]));
}

export const WRITE = `
with documents as (
  insert into objects (id, kind, parent, body, hidden)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::json[], $5::json[])
  on conflict (id) do update set body = excluded.body, hidden = excluded.hidden
), happened as (
  insert into events (id, type, intent, body)
  select id, type, intent, body from unnest($6::text[], $7::text[], $8::text[], $9::json[]) with ordinality as e (id, type, intent, body, n) order by n
), owed as (
  insert into deliveries (event_id, due)
  select id, coalesce(clock_timestamp() + make_interval(secs => due), 'infinity')
  from unnest($10::text[], $11::float8[]) with ordinality as d (id, due, n) order by n
)
insert into idempotency_keys (key, fingerprint, status, body) select * from unnest($12::text[], $13::text[], $14::int[], $15::json[])`;

/** What waits for a retry keeps its time, unless everything is to be lost. */
export const REPLAN = `
update deliveries set due = case $1
  when 'lost' then 'infinity'::timestamptz
  when 'late' then greatest(clock_timestamp(), created + make_interval(secs => $2::float8))
  when 'shuffled' then clock_timestamp() + make_interval(secs => random() * $2::float8)
  else clock_timestamp() end
where state = 'pending' and ($1 = 'lost' or due = 'infinity' or attempts = 0)`;
