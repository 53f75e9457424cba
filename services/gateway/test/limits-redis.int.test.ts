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
/** Starts two gateways with a connection to Redis each, in place of the ones before. */
async function startTwo(answerMs?: number): Promise<void> {
  await stopAll();
  for (let instance = 0; instance < 2; instance++) {
    const redis = await openRedis({ url: server.url, log: logger('test', 'silent'), ...(answerMs && { answerMs }) });
    connections.push(redis);
    gateways.push(await startGateway({ BELTWAY_RATE_LIMITS: 'on', TRUSTED_HOPS: 1 }, PROXY_TIMEOUTS, redis));
  }
}
async function stopAll(): Promise<void> {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.stop()));
  connections.splice(0).forEach((redis) => redis.close());
}
beforeAll(async () => void (server = await startRedis()));
afterAll(async () => {
  await stopAll();
  await server?.stop();
});

/** Sends this many sign-ins from one IP address, alternating between the two gateways. Returns the statuses. */
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

test('two gateways share their counters; while Redis is down each gateway counts separately', async () => {
  // Patient, so that on a busy machine a slow reply does not make a gateway count for itself.
  await startTwo(5_000);
  await useRedis();
  expect(refused(await signIns('203.0.113.1', 70))).toBe(10);
  await server.kill();
  const alone = await signIns('203.0.113.2', 130);
  expect([refused(alone), new Set(alone)]).toEqual([10, new Set([200, 429])]);
  await server.start();
  await useRedis();
  expect(refused(await signIns('203.0.113.3', 70))).toBe(10);
});

test('while Redis hangs requests still get their answers', async () => {
  await startTwo();
  await useRedis();
  await server.freeze();
  try {
    const alone = await signIns('203.0.113.4', 130);
    expect([refused(alone), new Set(alone)]).toEqual([10, new Set([200, 429])]);
  } finally {
    await server.thaw();
  }
});
