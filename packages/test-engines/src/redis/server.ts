import { setTimeout as pause } from 'node:timers/promises';
import { firstWay } from '../first-way.ts';
import { startRedisProgram } from './program.ts';
import type { TestRedis } from './test-redis.ts';
import { startContainer } from '../docker.ts';
import { answers } from './answers.ts';

export type { TestRedis } from './test-redis.ts';

/**
 * Starts a real Redis for this process alone, which may kill and freeze it. It runs in a container if a Docker engine
 * responds, otherwise as redis-server from PATH or Debian. It persists nothing and ends with this process. `more`:
 * further arguments. If there are any, no container is used, because arguments may name files.
 */
export const startRedis = (more: string[] = []): Promise<TestRedis> =>
  firstWay(
    'redis',
    [...(more.length === 0 ? [startDockerRedis] : []), () => startRedisProgram(more)],
    'Start Docker, or install redis-server, 7 or newer, or be online once.',
  );

const IMAGE = 'redis:8';
const READY_MS = 15_000;

/** Starts Redis in a container. Rejects if there is no Docker engine or no image. */
async function startDockerRedis(): Promise<TestRedis> {
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
