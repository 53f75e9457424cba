import { expect, test } from 'vitest';
import type { HoldBatchAnswer, HoldAnswer, HoldRequest } from '@beltway/contracts/ticketing/tickets';
import { guestKey, onSale, TOKEN } from './support.ts';

type Sent = { body: string; headers?: Record<string, string> };

/** Sends a hold to the public route, through Express. */
async function send(url: string, { body, headers = {} }: Sent) {
  const answer = await fetch(`${url}/api/holds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const retry = answer.headers.get('retry-after');
  const text = await answer.text();
  return { status: answer.status, body: text, ...(retry !== null && { retryAfter: Number(retry) }) };
}

/** Sends holds in one batch, as gateways do. */
async function sendBatch(url: string, all: Sent[]): Promise<HoldAnswer[]> {
  const holds = all.map(({ body, headers = {} }, index): HoldRequest => ({
    ...(headers['authorization'] !== undefined && { authorization: headers['authorization'] }),
    ...(headers['idempotency-key'] === undefined
      ? { key: `made-by-the-gateway-${index}`, gatewayKey: true }
      : { key: headers['idempotency-key'] }),
    requestId: `request-${index}`,
    body,
  }));
  const answer = await fetch(`${url}/internal/holds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-internal-token': TOKEN },
    body: JSON.stringify({ holds }),
  });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as HoldBatchAnswer).answers;
}

/** Removes what differs between holds, so that responses can be compared. */
const plain = ({ body: text, ...answer }: HoldAnswer) => {
  const body = JSON.parse(text) as Record<string, unknown>;
  for (const name of ['orderId', 'accessKey', 'holdUntil', 'requestId'])
    if (name in body) body[name] = typeof body[name];
  body['detail'] = String(body['detail']).replace(/\d+ tickets? (is|are)/, 'some are');
  // The number of free tickets differs between responses.
  for (const name of Object.keys((body['params'] ?? {}) as object))
    (body['params'] as Record<string, unknown>)[name] = 'a value';
  return { ...answer, body };
};

test('holds of a batch get the same responses as single holds', async () => {
  const world = await onSale(5);
  const member = await world.identity.tokenFor({ id: 7 });
  const good = '{"eventId":42,"quantity":1}';
  const cases: Record<string, Sent> = {
    'a guest': { body: good },
    'a member': { body: good, headers: { authorization: `Bearer ${member}` } },
    'no token at all': { body: good, headers: { authorization: 'Bearer ' } },
    'a forged token': { body: good, headers: { authorization: 'Bearer a.b.c' } },
    'a key that is too short': { body: good, headers: { 'idempotency-key': 'short' } },
    'a key of a guest’s own choice': { body: good, headers: { 'idempotency-key': 'made-by-the-gateway-0' } },
    'no JSON': { body: '{"eventId":42' },
    nothing: { body: '' },
    'a list': { body: '[]' },
    null: { body: 'null' },
    'a quantity of 11': { body: '{"eventId":42,"quantity":11}' },
    'a price': { body: '{"eventId":42,"quantity":1,"priceCents":1}' },
    'an unknown event': { body: '{"eventId":999,"quantity":1}' },
    'an event id that is text': { body: '{"eventId":"42","quantity":1}' },
    'too deep': { body: `${'['.repeat(60)}${']'.repeat(60)}` },
    'more than there are': { body: '{"eventId":42,"quantity":9}' },
  };
  const answers = await sendBatch(world.url, Object.values(cases));
  for (const [index, [what, sent]] of Object.entries(cases).entries())
    expect(plain(answers[index]!), what).toEqual(plain(await send(world.url, sent)));
});

test('a key that is sent once alone and twice in a batch makes one hold', async () => {
  const world = await onSale(5);
  const sent = { body: '{"eventId":42,"quantity":2}', headers: { 'idempotency-key': guestKey('a-key-of-mine') } };
  const answers = [
    ...(await sendBatch(world.url, [sent, sent])),
    await send(world.url, sent),
    ...(await sendBatch(world.url, [sent])),
  ];
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(await world.rows('select sold, held from availability')).toEqual([{ sold: 0, held: 2 }]);
});

test('in a batch for the last tickets, the remaining tickets are held and other holds refused; a bad request affects no other request', async () => {
  const world = await onSale(5);
  const requests = Array.from({ length: 12 }, (_, n) =>
    n % 4 === 3 ? { body: 'no JSON' } : { body: '{"eventId":42,"quantity":1}' },
  );
  const statuses = (await sendBatch(world.url, requests)).map(({ status }) => status);
  expect(statuses).toEqual([201, 201, 201, 400, 201, 201, 409, 400, 409, 409, 409, 400]);
});

test('only our own services may send a batch', async () => {
  const world = await onSale(5);
  for (const token of [undefined, 'x'.repeat(TOKEN.length), `${TOKEN}x`]) {
    const { status } = await fetch(`${world.url}/internal/holds`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token !== undefined && { 'x-internal-token': token }) },
      body: '{"holds":[]}',
    });
    expect(status).toBe(403);
  }
});
