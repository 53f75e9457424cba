import { defineConfig } from 'vitest/config';
import { Order } from './e2e/support/order.ts';

/** How long a test waits for what comes by itself. The room is for a machine that does much else; a wait ends as soon as it is met. */
const expectation = { poll: { timeout: 60_000 } };

/** Launch, buy as a member, as a guest and with a declined card, sold out, refund, changed event: what `npm test` plays. */
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
          // As many as there are processors; the default leaves one of them idle.
          maxWorkers: '100%',
          // They keep nothing between files, so that a worker need not load everything anew for each.
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
          // As with unit tests: loading the services anew for each file took a third of all processor time.
          isolate: false,
          // More than there are processors here: tests wait for the database, for timers and for each other.
          maxWorkers: 4,
          expect: expectation,
          testTimeout: 150_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          // Real brokers: one for all, and one more for each file that kills or freezes its own.
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
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.e2e.ts'],
          exclude: [...exclude, ...mainJob, 'e2e/engines*.e2e.ts'],
          globalSetup: ['e2e/support/shared-systems.ts'],
          pool: 'forks',
          // Files that one process runs may share a system (sharedStage).
          isolate: false,
          // Each has a whole system on ports and a folder of its own: two keep two processors busy, three make each other slow.
          maxWorkers: 2,
          expect: expectation,
          testTimeout: 300_000,
          hookTimeout: 180_000,
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
          // The containers of docker-compose.yml, which somebody has started: by hand, `npx vitest run --project compose`.
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
          testTimeout: 300_000,
        },
      },
      {
        test: {
          // Takes minutes to show that the checker still sees: by hand, `npx vitest run --project controls`.
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
