import { afterAll, beforeAll, expect, test } from 'vitest';
import { logger } from '@beltway/kit/logger';
import { openRedis, type Redis } from '@beltway/kit/redis';
import { eventually } from '@beltway/kit/testing';
import { startRedis, type TestRedis } from '@beltway/test-engines/redis';
import { PROXY_TIMEOUTS } from '../src/proxy/connections.ts';
import { startGateway, type TestGateway } from './gateway.ts';

let server: TestRedis;
const connections: Redis[] = [];
const gateways: TestGateway[] = [];
beforeAll(async () => {
  server = await startRedis();
  for (let instance = 0; instance < 2; instance++) {
    const redis = await openRedis({ url: server.url, log: logger('test', 'silent') });
    connections.push(redis);
    gateways.push(await startGateway({ BELTWAY_RATE_LIMITS: 'on', TRUSTED_HOPS: 1 }, PROXY_TIMEOUTS, redis));
  }
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  connections.forEach((redis) => redis.close());
  await server?.stop();
});

/** Statuses of that many sign-ins of one address, in turn at both gateways. */
async function signIns(address: string, times: number): Promise<number[]> {
  const statuses = [];
  for (let sent = 0; sent < times; sent++) {
    const answer = await gateways[sent % 2]!.post('/api/auth/login', {}, { 'x-forwarded-for': address });
    statuses.push(answer.status);
  }
  return statuses;
}
const refused = (statuses: number[]) => statuses.filter((status) => status === 429).length;
const useRedis = () => eventually(() => connections.every((redis) => redis.usable()));

test('two gateways count together; while Redis is gone each counts for itself', async () => {
  await useRedis();
  expect(refused(await signIns('203.0.113.1', 70))).toBe(10);
  await server.kill();
  const alone = await signIns('203.0.113.2', 130);
  expect([refused(alone), new Set(alone)]).toEqual([10, new Set([200, 429])]);
  await server.start();
  await useRedis();
  expect(refused(await signIns('203.0.113.3', 70))).toBe(10);
});

test('while Redis hangs requests are still answered', async () => {
  await useRedis();
  await server.freeze();
  try {
    const alone = await signIns('203.0.113.4', 130);
    expect([refused(alone), new Set(alone)]).toEqual([10, new Set([200, 429])]);
  } finally {
    await server.thaw();
  }
});
