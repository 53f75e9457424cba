import { firstWay } from '../first-way.ts';
import { startDockerRedis } from './docker.ts';
import { startRedisProgram } from './program.ts';
import type { TestRedis } from './test-redis.ts';

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
