import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { logger } from '@beltway/kit/logger';
import { clientErrorRoutes, scrub } from './client-errors.ts';

test.each([
  ['GET /api/orders/7?key=s3cret failed', 'GET /api/orders/7?… failed'],
  ['at load (https://x.test/assets/a.js?v=1#top:1:2)', 'at load (https://x.test/assets/a.js?…)'],
  ['no account ann.lee+dc@example.co.uk here', 'no account …@… here'],
  ['/auth/ann%40example.test', '/auth/…@…'],
  [
    'Bearer eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMiIsImV4cCI6MTc2MzAwfQ.c2lnbmF0dXJlLTEyMzQ1Njc4OTA',
    'Bearer ….….…',
  ],
  ['order 0b0e7a5c-1111-4111-8111-111111111111', 'order …'],
  [`key ${'abcdefghij'.repeat(5)}`, 'key …'],
  ['card 4242 4242 4242 4242, phone 202-555-0143', 'card …, phone …'],
  ['phone (202) 555-0143, 202.555.0143 and +1 202/555 0143', 'phone (…, … and +…'],
  ['card 4242.4242.4242.4242 and 4242\u00a04242\u00a04242\u00a04242', 'card … and …'],
  ['no account jörg.müller@bücher.example or o’neil@example.test', 'no account …@… or …@…'],
])('%s', (text, scrubbed) => expect(scrub(text)).toBe(scrubbed));

test.each([
  "TypeError: Cannot read properties of undefined (reading 'tickets')",
  'at useSyncExternalStoreWithSelector (https://x.test/assets/ticket-checkout-Bx3kd92_.js:1:123456)',
  'Cannot write private member #seen to an object',
  '/dashboard/events/12345',
  'at a (https://x.test/a.js:1:23456) at b (https://x.test/b.js:2:78901)',
])('%s is not changed', (text) => expect(scrub(text)).toBe(text));

test('an email address and a key are removed from any text', () => {
  const piece = fc.constantFrom('a', '@', '%40', '.', '-', '1', ' ', '?', '#', '=', '/', '(', '.js', 'x'.repeat(900));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const noise = pieces.join('').slice(0, 1_900);
      const text = scrub(`${noise} ann@example.test /orders?key=${'s3cret'.repeat(4)} ${noise}`);
      expect(text).not.toContain('ann@example');
      expect(text).not.toContain('s3crets3cret');
    }),
  );
});

test('twenty reports a second are logged without personal data; further reports are only counted', async () => {
  const log = logger('test', 'silent');
  const warn = vi.spyOn(log, 'warn');
  let now = 500;
  const server = createServer(express().use(clientErrorRoutes(log, () => now)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const body = JSON.stringify({
    message: 'no ann@example.test',
    stack: 'at /a?key=1',
    path: '/x/ann@example.test',
    release: 'of-ann@example.test',
  });
  const headers = { 'content-type': 'application/json' };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/client-errors`;
  const send = async () => (await fetch(url, { method: 'POST', headers, body })).status;
  try {
    for (let n = 0; n < 25; n++) expect(await send()).toBe(204);
    expect(warn).toHaveBeenCalledTimes(20);
    expect(warn.mock.calls[0]![0]).toMatchObject({
      clientError: { message: 'no …@…', stack: 'at /a?…', path: '/x/…@…', release: '…@…' },
    });
    now = 1_000;
    await send();
    expect(warn).toHaveBeenCalledTimes(21);
  } finally {
    await new Promise((resolve) => (server.close(resolve), server.closeAllConnections()));
  }
});
