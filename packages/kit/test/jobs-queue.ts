import type { Queue } from '../src/jobs/queue.ts';

export const testQueue: Queue<{ n: number }> = {
  name: 'test',
  maxAttempts: 3,
  pauseMs: () => 60_000,
  leaseSeconds: 60,
  concurrency: 1,
  keepsDone: false,
};
