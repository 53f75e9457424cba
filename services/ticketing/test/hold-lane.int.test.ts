import { request } from 'node:http';
import { expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { eventState, message, startTicketing } from './support.ts';

type Sent = { body: string; headers?: Record<string, string> };

/** The lane takes what announces its length; a chunked body is Express's. */
function send(
  url: string,
  { body, headers = {} }: Sent,
  chunked: boolean,
): Promise<{ status: number; text: string; headers: object }> {
  return new Promise((resolve, reject) => {
    const req = request(`${url}/api/holds`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(Buffer.byteLength(body)) }),
        ...headers,
      },
    });
    req.on('error', reject);
    req.on('response', (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      res.on('end', () => resolve({ status: res.statusCode ?? 0, text, headers: res.headers }));
    });
    req.end(body);
  });
}

/** What differs from one hold to the next. */
const plain = ({ status, text, headers }: { status: number; text: string; headers: object }) => {
  const body = JSON.parse(text) as Record<string, unknown>;
  for (const name of ['orderId', 'accessKey', 'holdUntil', 'requestId'])
    if (name in body) body[name] = typeof body[name];
  const { 'content-type': type, 'cache-control': cache, 'retry-after': retry } = headers as Record<string, string>;
  return { status, body, type, cache, retry };
};

async function onSale(capacity: number) {
  const ticketing = await startTicketing();
  await ticketing.bus.publish('catalog.events', [
    message('catalog.event-published', 'event-1', eventState(1, capacity)),
  ]);
  await eventually(async () => (await ticketing.rows('select 1 from availability')).length === 1);
  return ticketing;
}

test('the short way and Express answer every hold alike', async () => {
  const world = await onSale(5);
  const member = await world.identity.tokenFor({ id: 7 });
  const good = '{"eventId":1,"quantity":1}';
  const wishes: Record<string, Sent> = {
    'a guest': { body: good },
    'a member': { body: good, headers: { authorization: `Bearer ${member}` } },
    'no token at all': { body: good, headers: { authorization: 'Bearer ' } },
    'a forged token': { body: good, headers: { authorization: 'Bearer a.b.c' } },
    'a key that is too short': { body: good, headers: { 'idempotency-key': 'short' } },
    'no JSON': { body: '{"eventId":1' },
    nothing: { body: '' },
    'a list': { body: '[]' },
    null: { body: 'null' },
    'a quantity of 11': { body: '{"eventId":1,"quantity":11}' },
    'a price': { body: '{"eventId":1,"quantity":1,"priceCents":1}' },
    'an unknown event': { body: '{"eventId":999,"quantity":1}' },
    'an event id that is text': { body: '{"eventId":"1","quantity":1}' },
    'too deep': { body: `${'['.repeat(60)}${']'.repeat(60)}` },
    'more than there are': { body: '{"eventId":1,"quantity":9}' },
  };
  for (const [what, wish] of Object.entries(wishes)) {
    const [lane, express] = [await send(world.url, wish, false), await send(world.url, wish, true)];
    const seen = { lane: plain(lane), express: plain(express) };
    expect(seen.lane, what).toEqual(seen.express);
  }
});

test('a key sent both ways is one hold', async () => {
  const world = await onSale(5);
  const wish = { body: '{"eventId":1,"quantity":2}', headers: { 'idempotency-key': 'a-key-of-mine' } };
  const answers = [
    await send(world.url, wish, false),
    await send(world.url, wish, true),
    await send(world.url, wish, false),
  ];
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
});
