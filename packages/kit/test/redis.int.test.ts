import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Logger } from '../src/observe/logger.ts';
import { openRedis, RedisAway } from '../src/redis.ts';
import { startRedis, type TestRedis } from '@beltway/test-engines/redis';
import { eventually } from '../src/testing/testing.ts';

let server: TestRedis;
beforeAll(async () => void (server = await startRedis()));
afterAll(() => server?.stop());

const listening = () => {
  const lines: string[] = [];
  const hear = (_error: unknown, text?: string) => void lines.push(text ?? String(_error));
  return { lines, log: { warn: hear, info: hear } as unknown as Logger };
};

test('opens before Redis is up, and uses Redis once it is up', async () => {
  await server.kill();
  const redis = await openRedis({ answerMs: 5_000, url: server.url, log: listening().log });
  await expect(redis.ask((client) => client.ping())).rejects.toThrow(RedisAway);
  await server.start();
  await eventually(() => redis.usable());
  expect(await redis.ask((client) => client.ping())).toBe('PONG');
  redis.close();
});

test('logs an outage of Redis and its end once each, for any duration and number of callers', async () => {
  const { lines, log } = listening();
  const redis = await openRedis({ url: server.url, log });
  await eventually(() => redis.usable());
  expect(lines).toEqual([]);
  await server.kill();
  for (let tries = 0; tries < 30; tries++) {
    await redis.ask((client) => client.ping()).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await server.start();
  await eventually(() => redis.usable());
  expect(lines).toEqual(['Redis is away: every instance counts for itself until it is back', 'Redis is back']);
  redis.close();
});

test('subscriptions begin before Redis is up, and survive its restart', async () => {
  await server.kill();
  const { log } = listening();
  const redis = await openRedis({ url: server.url, log });
  const heard: string[] = [];
  redis.subscribe('news', (message, channel) => void heard.push(`${channel.toString()}: ${message.toString()}`));
  for (const word of ['first', 'second', 'third']) {
    await server.start();
    await eventually(async () => {
      await redis.ask((client) => client.sPublish('news', word));
      return heard.includes(`news: ${word}`);
    });
    await server.kill();
  }
  await server.start();
  redis.close();
});

test('an error reply of Redis is passed on, and is no outage', async () => {
  const { lines, log } = listening();
  const redis = await openRedis({ answerMs: 5_000, url: server.url, log });
  await eventually(() => redis.usable());
  await redis.ask((client) => client.set('word', 'x'));
  await expect(redis.ask((client) => client.incr('word'))).rejects.toThrow('not an integer');
  expect(redis.usable()).toBe(true);
  expect(lines).toEqual([]);
  redis.close();
});

test('closes while Redis is down, and leaves nothing running', async () => {
  const redis = await openRedis({ url: 'redis://127.0.0.1:1', log: listening().log });
  redis.subscribe('news', () => undefined);
  redis.close();
  await expect(redis.ask((client) => client.ping())).rejects.toThrow(RedisAway);
});
