import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event } from '@beltway/contracts/catalog/events';
import type { Problem } from '@beltway/contracts/common/basics';
import { concert, embedded, startCatalog, type Catalog } from './catalog.ts';

const ann = { id: 1 };

let catalog: Catalog;
let path: string;
beforeAll(async () => {
  catalog = await startCatalog();
  path = `/api/events/${(await catalog.publish(ann)).id}`;
});
afterAll(() => catalog.close());

/** Reads events repeatedly until the requests have finished. Returns the distinct statuses. */
async function beside(requests: Promise<unknown>): Promise<Set<number>> {
  const statuses = new Set<number>();
  let over = false;
  const read = async () => {
    do statuses.add((await catalog.call('GET', '/api/events')).status);
    while (!over);
  };
  await Promise.all([requests.finally(() => (over = true)), read()]);
  return statuses;
}

const sizeOf = (body: unknown) => JSON.stringify(body).length;
const manyKeys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, 1]));
const attacks: Array<[what: string, method: string, body: object, answer: string]> = [
  ['7 MB of empty objects', 'POST', { ...concert, x: Array(2_300_000).fill({}) }, '413 too-large'],
  ['7 MB of unknown keys', 'PATCH', manyKeys(450_000), '413 too-large'],
  ['7 MB of text elsewhere', 'POST', { ...concert, description: 'x'.repeat(7_000_000) }, '413 too-large'],
  [
    '30,000 empty objects beside a picture',
    'POST',
    { ...concert, x: Array(30_000).fill({}), imageUrl: embedded(200_000) },
    '400 too-many-values',
  ],
  ['90 kB of unknown keys', 'PATCH', manyKeys(7_000), '400 too-many-values'],
  [
    'few unknown keys of 30 kB each',
    'PATCH',
    { ['a'.repeat(30_000)]: 1, ['b'.repeat(30_000)]: 1, ['c'.repeat(30_000)]: 1 },
    '400 invalid',
  ],
  ['900 unknown keys', 'PATCH', manyKeys(900), '400 invalid'],
  ['900 wrong tags', 'POST', { ...concert, tags: Array(900).fill(7) }, '400 invalid'],
];

test.each(attacks)(
  '%s by %s: refused after a few kilobytes, while other clients can still read events',
  async (_what, method, body, wanted) => {
    const answers: Array<{ status: number; body: Problem }> = [];
    const text = JSON.stringify(body);
    // Two accounts attack concurrently, each twice.
    const attack = async (id: number) => {
      for (let time = 0; time < 2; time++)
        answers.push(
          await catalog.call<Problem>(method, method === 'POST' ? '/api/events' : path, { as: { id }, body: text }),
        );
    };
    expect(await beside(Promise.all([attack(1), attack(2)]))).toEqual(new Set([200]));
    expect(answers.map(({ status, body: { code } }) => `${status} ${code}`)).toEqual(Array(4).fill(wanted));
    expect(Math.max(...answers.map((answer) => sizeOf(answer.body)))).toBeLessThan(8_000);
  },
);

test('large bodies of callers without an account are not read, and the response is small', async () => {
  for (const body of [manyKeys(900), { ...concert, imageUrl: embedded(5_000_000) }]) {
    const { status, body: answer } = await catalog.call<Problem>('POST', '/api/events', { body });
    expect([status, answer.code]).toEqual([401, 'unauthenticated']);
    expect(sizeOf(answer)).toBeLessThan(1_000);
  }
});

test('property names that are special in JavaScript are unknown fields like others', async () => {
  const body = JSON.stringify(concert).replace(
    '{',
    '{"__proto__":{"hasTickets":true,"status":"canceled"},"constructor":1,',
  );
  const { status, body: problem } = await catalog.call<Problem>('POST', '/api/events', { as: ann, body });
  expect([status, problem.errors]).toEqual([
    400,
    [
      {
        ...{ field: '__proto__', message: 'is not accepted here, nor are constructor' },
        ...{ text: 'invalid.not-accepted-either', params: { others: 'constructor' } },
      },
    ],
  ]);
  const change = await catalog.call<Problem>('PATCH', path, { as: ann, body: '{"__proto__":{"title":"x"}}' });
  expect([change.status, change.body.errors?.[0]?.field]).toEqual([400, '__proto__']);
  const twice = JSON.stringify(concert).replace('{', '{"title":"First",');
  expect((await catalog.call<Event>('POST', '/api/events', { as: ann, body: twice })).body.title).toBe(concert.title);
});

test.each(['1e400', '-1e400', `1${'0'.repeat(30)}`, '0.1e-400', '-0'])(
  'the number %s is refused as a price and as a capacity',
  async (number) => {
    const body = JSON.stringify({ ...concert, hasTickets: true, ticketPrice: null, totalTickets: null }).replaceAll(
      ':null',
      `:${number}`,
    );
    const { status, body: problem } = await catalog.call<Problem>('POST', '/api/events', { as: ann, body });
    expect([status, problem.errors?.map(({ field }) => field).sort()]).toEqual([400, ['ticketPrice', 'totalTickets']]);
  },
);
