import { int4s, jsonbs, uuids } from '@beltway/event-store';
import { expect, test } from 'vitest';
import { table, type RowOf } from './columns.ts';

const orders = table(
  'orders',
  { orderId: 'uuid', buyerId: 'int4?', amountCents: 'int4', tags: 'text[]', heldAt: 'timestamptz', version: 'int8' },
  { buyerId: 'user_id' },
);
const A = '00000000-0000-4000-8000-00000000000a';
const B = '00000000-0000-4000-8000-00000000000b';

test('fields are read from snake-case columns, or from columns with given names', () => {
  expect(orders.select(['orderId', 'buyerId'])).toBe('orders.order_id as "orderId", orders.user_id as "buyerId"');
  expect(orders.select(undefined, 'o')).toContain('o.held_at as "heldAt", o.version as "version"');
});

test('an insert has a parameter for each field, in the order of the columns', () => {
  const insert = orders.insert(['orderId', 'buyerId'], 'on conflict do nothing');
  expect(insert.text).toBe('insert into orders (order_id, user_id) values ($1, $2) on conflict do nothing');
  expect(insert.values({ buyerId: 7, orderId: A })).toEqual([A, 7]);
  // A nullable field may be omitted.
  expect(insert.values({ orderId: A })).toEqual([A, undefined]);
});

test('an insert that conflicts with a row updates it', () => {
  expect(orders.onConflict(['orderId'], ['buyerId', 'heldAt'])).toBe(
    'on conflict (order_id) do update set user_id = excluded.user_id, held_at = excluded.held_at',
  );
});

test('an update finds its row by the first parameter', () => {
  const update = orders.update('orderId', ['buyerId', 'amountCents']);
  expect(update.text).toBe('update orders set user_id = $2, amount_cents = $3 where order_id = $1');
  expect(update.values({ amountCents: 5, buyerId: 7, orderId: A })).toEqual([A, 7, 5]);
});

test('an update sets values, or adds to them', () => {
  const update = orders.update('orderId', ['buyerId'], ['amountCents']);
  expect(update.text).toBe('update orders set user_id = $2, amount_cents = amount_cents + $3 where order_id = $1');
  expect(update.values({ amountCents: 5, buyerId: 7, orderId: A })).toEqual([A, 7, 5]);
});

test('a field with few different values sends each value once, and each row its place among them', () => {
  const holds = table('holds', { orderId: 'uuid', lines: 'jsonb' });
  const insert = holds.insertMany(['orderId'], { few: ['lines'] });
  expect(insert.text).toBe(
    'insert into holds (order_id, lines) select unnest($1::uuid[]), ($2::jsonb[])[unnest($3::int4[])] ',
  );
  const rows = [1, 2, 1].map((quantity) => ({ id: A, lines: [{ quantity }] }));
  expect(insert.values(rows, { orderId: ({ id }) => id, lines: ({ lines }) => lines })).toEqual([
    uuids([A, A, A]),
    jsonbs(['[{"quantity":1}]', '[{"quantity":2}]']),
    int4s([1, 2, 1]),
  ]);
});

test('many rows are one encoded parameter per column; a value shared by all is sent once', () => {
  const insert = orders.insertMany(['orderId', 'buyerId'], {
    same: ['amountCents'],
    fixed: { heldAt: 'now()' },
    rest: 'order by 1',
  });
  expect(insert.text).toBe(
    'insert into orders (amount_cents, order_id, user_id, held_at) select $1, unnest($2::uuid[]), unnest($3::int4[]), now() order by 1',
  );
  const rows = [
    { id: A, who: 7 },
    { id: B, who: null },
  ];
  expect(insert.values(rows, { orderId: ({ id }) => id, buyerId: ({ who }) => who, amountCents: () => 500 })).toEqual([
    500,
    uuids([A, B]),
    int4s([7, null]),
  ]);
});

test('a field of an update of many rows can depend on its new and old value', () => {
  const update = orders.updateMany('orderId', ['buyerId', 'amountCents'], {
    amountCents: 'orders.amount_cents + n.amount_cents',
  });
  expect(update.text).toBe(
    'update orders set user_id = n.user_id, amount_cents = orders.amount_cents + n.amount_cents from unnest($1::uuid[], $2::int4[], $3::int4[]) as n (order_id, user_id, amount_cents) where orders.order_id = n.order_id',
  );
});

test('a list of rows is joined under the names of its columns', () => {
  const list = orders.list(['orderId', 'buyerId']);
  expect(list.text).toBe('unnest($1::uuid[], $2::int4[]) as n (order_id, user_id)');
  expect(list.values([{ n: 3 }], { orderId: () => A, buyerId: ({ n }) => n })).toEqual([uuids([A]), int4s([3])]);
});

test('an update of many rows finds each by its key', () => {
  const update = orders.updateMany('orderId', ['buyerId'], { version: 'orders.version + 1' });
  expect(update.text).toBe(
    'update orders set user_id = n.user_id, version = orders.version + 1 from unnest($1::uuid[], $2::int4[]) as n (order_id, user_id) where orders.order_id = n.order_id',
  );
  expect(update.values([B], { orderId: (id) => id, buyerId: () => 7 })).toEqual([uuids([B]), int4s([7])]);
});

test('an update of many rows finds each by all columns of its key', () =>
  expect(orders.updateMany(['orderId', 'buyerId'], ['amountCents']).text).toBe(
    'update orders set amount_cents = n.amount_cents from unnest($1::uuid[], $2::int4[], $3::int4[]) as n (order_id, user_id, amount_cents) where orders.order_id = n.order_id and orders.user_id = n.user_id',
  ));

test('a projection runs a statement, except for an empty list', () => {
  const said: unknown[] = [];
  const sql = { query: (text: string, values?: unknown[]) => void said.push([text, values]) };
  const [one, many] = [orders.update('orderId', ['buyerId']), orders.updateMany('orderId', ['buyerId'])];
  one.run(sql, { orderId: A, buyerId: 7 });
  many.run(sql, [], { orderId: () => A, buyerId: () => 7 });
  many.run(sql, [A], { orderId: (id) => id, buyerId: () => 7 });
  expect(said).toEqual([
    [one.text, [A, 7]],
    [many.text, [uuids([A]), int4s([7])]],
  ]);
});

test('the compiler refuses a missing or unknown field, another type, and null for a required column', () => {
  const insert = orders.insert(['orderId', 'buyerId']);
  // @ts-expect-error no such field
  expect(() => orders.insert(['orderID']).text).not.toThrow();
  // @ts-expect-error `orderId` is missing
  insert.values({ buyerId: 7 });
  // @ts-expect-error a number
  insert.values({ orderId: A, buyerId: '7' });
  // @ts-expect-error not nullable
  insert.values({ orderId: null, buyerId: 7 });
  // @ts-expect-error no such type
  table('orders', { orderId: 'uid' });
  const read = { version: '1', heldAt: new Date(0), tags: ['a'], buyerId: null } satisfies Partial<
    RowOf<typeof orders>
  >;
  // @ts-expect-error an int8 is read as text
  ({ version: 1 }) satisfies Partial<RowOf<typeof orders>>;
  expect(read.tags).toEqual(['a']);
});
