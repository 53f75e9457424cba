import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { logger } from '../../observe/logger.ts';
import { problems } from '../problems.ts';
import { localQuota, quota, rateLimit } from './rate-limit.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('takes points per key, and restores them when the window is over', async () => {
  const take = quota({ name: 'x', points: 2, perSeconds: 60 });
  expect(await take('a')).toEqual({ allowed: true, remaining: 1, resetsIn: 60 });
  vi.advanceTimersByTime(20_500);
  expect(await take('a')).toEqual({ allowed: true, remaining: 0, resetsIn: 40 });
  expect(await take('a')).toEqual({ allowed: false, remaining: 0, resetsIn: 40 });
  expect(await take('b')).toMatchObject({ allowed: true, remaining: 1 });
  vi.advanceTimersByTime(40_000);
  expect(await take('a')).toEqual({ allowed: true, remaining: 1, resetsIn: 60 });
});

test('a process counts 100,000 keys at a time, and drops the keys that it has counted for longest', () => {
  const take = localQuota({ name: 'x', points: 1, perSeconds: 60 });
  take('first');
  for (let n = 1; n < 100_000; n++) take(`key ${n}`);
  expect(take('first').allowed).toBe(false);
  take('one more');
  take('and another');
  expect(take('first').allowed).toBe(true);
});

test('a /48 of IPv6 has sixteen allowances, instead of one per /64; a /56 has four allowances', async () => {
  const take = quota({ name: 'x', points: 5, perSeconds: 60 });
  const allowed = async (addresses: string[]) => {
    let count = 0;
    for (const address of addresses) if ((await take(address)).allowed) count++;
    return count;
  };
  const subnets = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => `2001:db8:7:${(from + n).toString(16)}::1`);
  expect(await allowed(subnets(0x1100, 200))).toBe(20);
  expect(await allowed(Array.from({ length: 100 }, (_, n) => `2001:db8:7:${(n << 8).toString(16)}::1`))).toBe(60);
  expect(await allowed(['2001:db8:8::1', '203.0.113.7', '::ffff:203.0.113.7'])).toBe(3);
});

test('one flooding /64 does not use up the allowance of its neighbors', async () => {
  const take = quota({ name: 'x', points: 2, perSeconds: 60 });
  for (let n = 0; n < 100; n++) await take(`2001:db8:7:1::${n.toString(16)}`);
  expect(await take('2001:db8:7:2::1')).toMatchObject({ allowed: true, remaining: 1 });
});

test('a window of 30 s resets in 30 s, at any fraction of a millisecond', async () => {
  const take = quota({ name: 'x', points: 2, perSeconds: 30 });
  const now = vi.spyOn(performance, 'now');
  for (let n = 0; n < 1_000; n++) {
    now.mockReturnValue(12_345 + n / 7);
    expect((await take(`key ${n}`)).resetsIn).toBe(30);
  }
  now.mockRestore();
});

test('the response states the remaining requests and when the window resets', async () => {
  vi.useRealTimers();
  const app = express();
  app.use(rateLimit({ name: 'look', points: 2, perSeconds: 30 }), (_req, res) => void res.end('ok'));
  app.use(problems(logger('test', 'silent')));
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const ask = (from: string) =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { headers: { 'x-forwarded-for': from } });

  const first = await ask('2001:db8:1:2::a');
  expect(first.headers.get('ratelimit-policy')).toBe('"look";q=2;w=30');
  expect(first.headers.get('ratelimit')).toBe('"look";r=1;t=30');
  // Another IP address in the same /64, which is one household.
  expect((await ask('2001:db8:1:2::b')).headers.get('ratelimit')).toMatch(/^"look";r=0;t=(30|29)$/);
  const refused = await ask('2001:db8:1:2::c');
  expect(refused.status).toBe(429);
  expect(refused.headers.get('content-type')).toContain('application/problem+json');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(27);
  expect(refused.headers.get('ratelimit')).toMatch(/^"look";r=0;t=/);
  expect(await refused.json()).toMatchObject({ status: 429, code: 'too-many-requests' });
  expect((await ask('2001:db8:1:3::a')).status).toBe(200);
  await new Promise((resolve) => (server.close(resolve), server.closeAllConnections()));
});
