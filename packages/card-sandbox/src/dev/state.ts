import type { Pool } from 'pg';
import type { Settings } from '../settings.ts';

export interface Attempt {
  at: string;
  status: number | null;
  error: string | null;
  ms: number;
}
export interface DeliveryState {
  id: string;
  /** `held`: waits until a person releases it. `failed`: the sandbox gave up after three days. */
  state: 'pending' | 'held' | 'delivered' | 'failed';
  due: string | null;
  attempts: number;
  log: Attempt[];
}
export interface EventState {
  id: string;
  type: string;
  created: string;
  deliveries: DeliveryState[];
}
export interface IntentState {
  id: string;
  status: string;
  amount: number;
  currency: string;
  description: string | null;
  metadata: Record<string, string>;
  created: number;
  /** Brand and last four digits of the card in use. */
  card: string | null;
  error: string | null;
  refunded: number;
  disputed: boolean;
  refunds: Array<{ id: string; amount: number; status: string }>;
  disputes: Array<{ id: string; amount: number; status: string }>;
  events: EventState[];
}
export interface State {
  webhooks: Settings['webhooks'];
  api: Settings['api'];
  queue: { pending: number; held: number; delivered: number; failed: number };
  intents: IntentState[];
}

/**
 * The body of `GET /dev/payments/state`: settings, queue, and the newest intents with their events. No client secrets.
 */
export async function readState(pool: Pool, settings: Settings, limit = 20): Promise<State> {
  const [queue, intents] = await Promise.all([
    pool.query<State['queue']>(
      `select count(*) filter (where state = 'pending' and due < 'infinity')::int as pending,
        count(*) filter (where state = 'pending' and due = 'infinity')::int as held,
        count(*) filter (where state = 'delivered')::int as delivered,
        count(*) filter (where state = 'failed')::int as failed from deliveries`,
    ),
    pool.query<Omit<IntentState, 'events'>>(
      `select i.id, i.body->>'status' as status, (i.body->>'amount')::int as amount, i.body->>'currency' as currency,
        i.body->>'description' as description, i.body->'metadata' as metadata, (i.body->>'created')::int as created,
        (m.body->'card'->>'brand') || ' ···· ' || (m.body->'card'->>'last4') as card,
        coalesce(i.body->'last_payment_error'->>'decline_code', i.body->'last_payment_error'->>'code') as error,
        coalesce((c.body->>'amount_refunded')::int, 0) as refunded, coalesce((c.body->>'disputed')::boolean, false) as disputed,
        (select coalesce(json_agg(json_build_object('id', o.id, 'amount', o.body->'amount', 'status', o.body->'status') order by o.position), '[]')
           from objects o where o.parent = i.id and o.kind = 'refund') as refunds,
        (select coalesce(json_agg(json_build_object('id', o.id, 'amount', o.body->'amount', 'status', o.body->'status') order by o.position), '[]')
           from objects o where o.parent = i.id and o.kind = 'dispute') as disputes
      from (select * from objects where kind = 'payment_intent' order by position desc limit $1) i
      left join objects c on c.id = i.body->>'latest_charge'
      left join objects m on m.id = coalesce(i.body->>'payment_method', c.body->>'payment_method')
      order by i.position desc`,
      [limit],
    ),
  ]);
  const { rows: events } = await pool.query<EventState & { intent: string }>(
    `select e.id, e.type, e.intent, to_char(e.created at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created,
      coalesce(jsonb_agg(jsonb_build_object(
        'id', d.id::text, 'state', case when d.state = 'pending' and d.due = 'infinity' then 'held' else d.state end,
        'due', case when d.state = 'pending' and d.due < 'infinity' then to_jsonb(d.due) end,
        'attempts', d.attempts, 'log', d.log) order by d.id) filter (where d.id is not null), '[]') as deliveries
    from events e left join deliveries d on d.event_id = e.id
    where e.intent = any($1) group by e.id order by e.position`,
    [intents.rows.map((intent) => intent.id)],
  );
  const none = { pending: 0, held: 0, delivered: 0, failed: 0 };
  return {
    ...{ webhooks: settings.webhooks, api: settings.api, queue: queue.rows[0] ?? none },
    intents: intents.rows.map((intent) => ({
      ...intent,
      events: events.filter((event) => event.intent === intent.id).map(({ intent: _owner, ...event }) => event),
    })),
  };
}

/**
 * Sends one event now: makes a waiting delivery due, or sends an event again that was already delivered. Returns false
 * for an unknown event.
 */
export async function deliverNow(pool: Pool, eventId: string): Promise<boolean> {
  const { rows } = await pool.query<{ known: boolean }>(
    `with waiting as (update deliveries set due = clock_timestamp() where event_id = $1 and state = 'pending' returning id),
      more as (insert into deliveries (event_id, due) select id, clock_timestamp() from events where id = $1 and not exists (select from waiting) returning id)
    select exists (select from waiting) or exists (select from more) as known`,
    [eventId],
  );
  return rows[0]?.known === true;
}

/** Makes all waiting deliveries due now. Returns their number. */
export async function deliverAll(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(`update deliveries set due = clock_timestamp() where state = 'pending'`);
  return rowCount ?? 0;
}
