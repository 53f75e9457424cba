import { setTimeout as pause } from 'node:timers/promises';
import { startContainer } from '../docker.ts';
import { answers } from './answers.ts';
import type { TestRedis } from './test-redis.ts';

const IMAGE = 'redis:8';
const READY_MS = 15_000;

/** In a container. Rejects when there is no engine, or no image to be had. */
export async function startDockerRedis(): Promise<TestRedis> {
  const container = await startContainer({
    image: IMAGE,
    inner: 6379,
    command: ['redis-server', '--save', '', '--appendonly', 'no'],
    ready: { says: 'Ready to accept connections' },
  });
  return {
    ...container,
    url: `redis://127.0.0.1:${container.port}`,
    async start() {
      await container.start();
      for (const end = performance.now() + READY_MS; !(await answers(container.port)); await pause(20))
        if (performance.now() > end) throw new Error('Redis did not start again in its container');
    },
  };
}
