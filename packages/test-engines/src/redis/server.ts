import { setTimeout as pause } from 'node:timers/promises';
import { firstWay } from '../first-way.ts';
import { startRedisProgram } from './program.ts';
import type { TestRedis } from './test-redis.ts';
import { startContainer } from '../docker.ts';
import { answers } from './answers.ts';

export type { TestRedis } from './test-redis.ts';

/**
 * A real Redis for this process alone, which may kill and freeze it: in a container where a Docker engine answers, else redis-server on PATH
 * or Debian's. It keeps nothing on disk and dies with this process. `more` are arguments for it besides, which may name files: then it
 * is no container.
 */
export const startRedis = (more: string[] = []): Promise<TestRedis> =>
  firstWay(
    'redis',
    [...(more.length === 0 ? [startDockerRedis] : []), () => startRedisProgram(more)],
    'Start Docker, or install redis-server, 7 or newer, or be online once.',
  );

const IMAGE = 'redis:8';
const READY_MS = 15_000;

/** In a container. Rejects when there is no engine, or no image to be had. */
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
