import { defineConfig } from 'vitest/config';
import { Order } from './e2e/support/order.ts';

/** Timeout for asynchronous conditions, generous for a busy machine; a wait ends as soon as its condition is met. */
const expectation = { poll: { timeout: 60_000 } };

/** Launch, buy as a member, as a guest and with a declined card, sold out, refund, changed event: run by `npm test`. */
const mainJob = ['main-job', 'guest', 'sold-out', 'refund', 'changed-event'].map((name) => `e2e/${name}.e2e.ts`);

const exclude = ['**/node_modules/**', '**/dist/**', '**/.cache/**', '**/.data/**'];

export default defineConfig({
  test: {
    reporters: ['default'],
    sequence: { sequencer: Order },
    projects: [
      'frontend/vitest.config.ts',
      {
        test: {
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: [...exclude, 'frontend/**', '**/*.int.test.ts'],
          // One worker per processor; the default leaves one idle.
          maxWorkers: '100%',
          // Unit tests share no state between files, so a worker loads modules only once.
          isolate: false,
          expect: expectation,
          // Milliseconds, here and below.
          testTimeout: 90_000,
        },
      },
      {
        test: {
          name: 'int',
          include: ['**/*.int.test.ts'],
          exclude: [...exclude, '**/*kafka*.int.test.ts'],
          globalSetup: ['scripts/testing/postgres.ts'],
          pool: 'forks',
          // As for unit tests: loading the services per file took a third of the CPU time.
          isolate: false,
          // More than the processors: tests wait for the database, timers and each other.
          maxWorkers: 4,
          expect: expectation,
          testTimeout: 150_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          // Real brokers: one shared, and one for each file that kills or freezes its own.
          name: 'kafka',
          include: ['**/*kafka*.int.test.ts'],
          exclude,
          globalSetup: ['scripts/testing/postgres.ts', 'scripts/testing/kafka.ts'],
          pool: 'forks',
          maxWorkers: 2,
          expect: expectation,
          testTimeout: 150_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'main-job',
          include: mainJob,
          exclude,
          globalSetup: ['e2e/support/shared-systems.ts'],
          pool: 'forks',
          // All files share one system (sharedStage) in one process.
          isolate: false,
          maxWorkers: 1,
          expect: expectation,
          testTimeout: 300_000,
          hookTimeout: 360_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.e2e.ts'],
          exclude: [...exclude, ...mainJob, 'e2e/engines*.e2e.ts'],
          globalSetup: ['e2e/support/shared-systems.ts'],
          pool: 'forks',
          // Files run by one process may share a system (sharedStage).
          isolate: false,
          // Each worker has a whole system with its own ports and folder: two keep two processors busy, three slow each
          // other.
          maxWorkers: 2,
          expect: expectation,
          testTimeout: 300_000,
          hookTimeout: 360_000,
        },
      },
      {
        test: {
          // The whole system on real Kafka and Redis.
          name: 'engines',
          include: ['e2e/engines*.e2e.ts'],
          exclude,
          pool: 'forks',
          fileParallelism: false,
          expect: expectation,
          testTimeout: 300_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          // Needs the running containers of docker-compose.yml: run by hand, `npx vitest run --project compose`.
          name: 'compose',
          include: ['e2e/**/*.compose.ts'],
          exclude,
          pool: 'forks',
          expect: expectation,
          testTimeout: 300_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          // Whole systems that are killed on purpose, one at a time.
          name: 'chaos',
          include: ['chaos/**/*.chaos.ts'],
          exclude,
          pool: 'forks',
          fileParallelism: false,
          expect: expectation,
          // A slow run, in which some steps reach their limits (`chaos/run.ts`), must be able to name them.
          testTimeout: 900_000,
        },
      },
      {
        test: {
          // Takes minutes to prove that the checker still detects violations: run by hand, `npx vitest run --project
          // controls`.
          name: 'controls',
          include: ['chaos/**/*.controls.ts'],
          exclude,
          pool: 'forks',
          fileParallelism: false,
          expect: expectation,
          testTimeout: 300_000,
        },
      },
    ],
  },
});
