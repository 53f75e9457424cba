import type { Pool } from 'pg';
import { invalid, missing } from './errors.ts';
import type { Kind } from './kinds.ts';
import type { Params } from './params.ts';

const noun: Record<Kind, string> = {
  payment_intent: 'payment_intent',
  payment_method: 'PaymentMethod',
  charge: 'charge',
  refund: 'refund',
  dispute: 'dispute',
  customer: 'customer',
  account: 'account',
  account_link: 'account link',
  transfer: 'transfer',
  application_fee: 'application fee',
  balance_transaction: 'balance transaction',
  payout: 'payout',
};

/** Returns the last committed version of one document. Throws Stripe's 404 if it does not exist. */
export async function retrieve(pool: Pool, kind: Kind, id: string, param = 'id'): Promise<object> {
  const { rows } = await pool.query<{ body: object }>({
    name: 'sandbox-retrieve',
    text: 'select body from objects where id = $1 and kind = $2',
    values: [id, kind],
  });
  if (!rows[0]) throw missing(noun[kind], id, param);
  return rows[0].body;
}

export async function retrieveEvent(pool: Pool, id: string): Promise<object> {
  const { rows } = await pool.query<{ body: object; waiting: number }>(
    `select body, (select count(*)::int from deliveries where event_id = events.id and state = 'pending') as waiting from events where id = $1`,
    [id],
  );
  if (!rows[0]) throw missing('event', id);
  return { ...rows[0].body, pending_webhooks: rows[0].waiting };
}

interface Query {
  table: 'objects' | 'events';
  url: string;
  where: Array<[sql: (place: string) => string, value: unknown]>;
}

/**
 * Returns one page of documents with Stripe's cursor pagination, newest first. Parameters: `limit` from 1 to 100
 * (default 10), the ids `starting_after` or `ending_before`, and comparisons such as `created[gte]`.
 */
async function page(pool: Pool, params: Params, { table, url, where }: Query): Promise<object> {
  const limit = params.integer('limit') ?? 10;
  if (limit < 1 || limit > 100)
    throw invalid('This value must be between 1 and 100.', { code: 'parameter_invalid_integer', param: 'limit' });
  const after = params.text('starting_after');
  const before = params.text('ending_before');
  if (after && before) throw invalid('You may only specify one of these parameters: ending_before, starting_after.');
  const created = params.form['created'];
  if (typeof created === 'string')
    where.push([(n) => `(body->>'created')::bigint = ${n}::bigint`, params.integer('created')]);
  else
    for (const [name, sign] of [
      ['gt', '>'],
      ['gte', '>='],
      ['lt', '<'],
      ['lte', '<='],
    ] as const) {
      const bound = params.hash('created')?.integer(name);
      if (bound !== undefined) where.push([(n) => `(body->>'created')::bigint ${sign} ${n}::bigint`, bound]);
    }
  for (const [cursor, sign] of [
    [after, '<'],
    [before, '>'],
  ] as const) {
    if (!cursor) continue;
    const { rows } = await pool.query<{ position: string }>(`select position from ${table} where id = $1`, [cursor]);
    if (!rows[0]) throw missing('object', cursor, sign === '<' ? 'starting_after' : 'ending_before');
    where.push([(n) => `position ${sign} ${n}::bigint`, rows[0].position]);
  }
  const conditions = where.map(([sql], index) => sql(`$${index + 1}`));
  const { rows } = await pool.query<{ body: object }>(
    `select body from ${table} ${conditions.length ? `where ${conditions.join(' and ')}` : ''} order by position ${before ? 'asc' : 'desc'} limit ${limit + 1}`,
    where.map(([, value]) => value),
  );
  const data = rows.slice(0, limit).map((row) => row.body);
  return { object: 'list', data: before ? data.reverse() : data, has_more: rows.length > limit, url };
}

const pages = ['limit', 'starting_after', 'ending_before', 'created'];

/** Implements the part of Stripe's search that we use: finding intents with a given metadata value. */
export async function searchIntents(pool: Pool, params: Params): Promise<object> {
  params.only('query', 'limit', 'page');
  const asked = /^metadata\['(\w{1,40})'\]:'([^']{1,500})'$/.exec(params.required('query'));
  if (!asked) throw invalid("The sandbox searches for metadata['name']:'value' only.", { param: 'query' });
  const { rows } = await pool.query<{ body: object }>(
    `select body from objects where kind = 'payment_intent' and body->'metadata'->>$1 = $2 order by position desc limit 100`,
    [asked[1], asked[2]],
  );
  const data = rows.map(({ body }) => body);
  return { object: 'search_result', data, has_more: false, next_page: null, url: '/v1/payment_intents/search' };
}

/**
 * Lists documents of one kind. Charges and refunds can be filtered by intent, refunds by charge, intents by customer.
 */
export function list(pool: Pool, kind: Kind, url: string, params: Params, account?: string): Promise<object> {
  params.only(...pages, 'payment_intent', 'charge', 'customer', 'email', 'transfer_group', 'destination', 'type');
  const where: Query['where'] = [[(n) => `kind = ${n}`, kind]];
  for (const name of ['destination', 'type']) {
    const given = params.text(name);
    if (given) where.push([(n) => `body->>'${name}' = ${n}`, given]);
  }
  const group = params.text('transfer_group') ?? account;
  if (group) where.push([(n) => `parent = ${n}`, group]);
  const parent = params.text('payment_intent') ?? (kind === 'payment_intent' ? params.text('customer') : undefined);
  if (parent) where.push([(n) => `parent = ${n}`, parent]);
  const charge = params.text('charge');
  if (charge) where.push([(n) => `body->>'charge' = ${n}`, charge]);
  const email = params.text('email');
  if (email) where.push([(n) => `body->>'email' = ${n}`, email]);
  return page(pool, params, { table: 'objects', url, where });
}

/**
 * Returns an account's balance. Without an account, returns the platform's balance, which is the sum of the platform's
 * balance transactions. The sandbox has no pending amounts.
 */
export async function balance(pool: Pool, account: string | undefined): Promise<object> {
  const { rows } = await pool.query<{ amount: string | null }>(
    account
      ? `select hidden->>'available' as amount from objects where id = $1 and kind = 'account'`
      : `select coalesce(sum((body->>'net')::bigint), 0) as amount from objects where kind = 'balance_transaction' and $1::text is null`,
    [account ?? null],
  );
  if (!rows[0]) throw missing('account', account ?? '');
  const amount = Number(rows[0].amount);
  return {
    object: 'balance',
    available: [{ amount, currency: 'usd', source_types: { card: amount } }],
    livemode: false,
    pending: [{ amount: 0, currency: 'usd', source_types: { card: 0 } }],
  };
}

export function listEvents(pool: Pool, params: Params): Promise<object> {
  params.only(...pages, 'type', 'types', 'delivery_success');
  const where: Query['where'] = [];
  const types = params.list('types');
  const type = params.text('type');
  if (type) types.push(type);
  if (types.length > 0)
    where.push([
      (n) => `type like any (${n}::text[])`,
      types.map((name) => name.replace(/[%\\]/g, '').replaceAll('_', '\\_').replaceAll('*', '%')),
    ]);
  const delivered = params.flag('delivery_success');
  if (delivered !== undefined)
    where.push([
      (n) =>
        `exists (select from deliveries d where d.event_id = events.id and d.state <> 'delivered') <> ${n}::boolean`,
      delivered,
    ]);
  return page(pool, params, { table: 'events', url: '/v1/events', where });
}

const EXPANDABLE: Record<string, Kind> = {
  latest_charge: 'charge',
  charge: 'charge',
  payment_intent: 'payment_intent',
  payment_method: 'payment_method',
  customer: 'customer',
  balance_transaction: 'balance_transaction',
  application_fee: 'application_fee',
  transfer: 'transfer',
};

/**
 * Maps the id prefix of a balance transaction's source to the source's kind. Sources of other kinds are not expanded,
 * because no API call returns such a document.
 */
const SOURCES: Record<string, Kind> = {
  ch: 'charge',
  re: 'refund',
  dp: 'dispute',
  tr: 'transfer',
  fee: 'application_fee',
};

/** Replaces ids with documents as `expand[]` requests. Throws 400 for a property that cannot be expanded. */
export async function expand(
  body: unknown,
  paths: string[],
  load: (kind: Kind, id: string) => Promise<object>,
): Promise<unknown> {
  let result = body;
  for (const path of paths) {
    if (path.split('.').length > 4)
      throw invalid('You cannot expand more than 4 levels of a property', { param: 'expand' });
    result = await along(result, path.split('.'), path, load);
  }
  return result;
}

async function along(
  value: unknown,
  steps: string[],
  path: string,
  load: (kind: Kind, id: string) => Promise<object>,
): Promise<unknown> {
  const [step, ...rest] = steps;
  if (step === undefined || value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return Promise.all(value.map((item) => along(item, steps, path, load)));
  const inner = (value as Record<string, unknown>)[step];
  const kind = EXPANDABLE[step];
  if (step === 'data' && Array.isArray(inner)) return { ...value, data: await along(inner, rest, path, load) };
  const source = step === 'source' && typeof inner === 'string' ? SOURCES[inner.split('_')[0] ?? ''] : undefined;
  if (source) return { ...value, source: await along(await load(source, inner as string), rest, path, load) };
  if (step === 'source') return value;
  if (!kind || inner === undefined) throw invalid(`This property cannot be expanded (${path}).`, { param: 'expand' });
  const whole = typeof inner === 'string' ? await load(kind, inner) : inner;
  return { ...value, [step]: await along(whole, rest, path, load) };
}
