import type { Pool } from 'pg';
import { withLease } from '@beltway/kit/lease';
import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';
import type { Payments } from './payments.ts';
import type { SaleDeps } from './sell.ts';

export interface JobDeps extends SaleDeps {
  pool: Pool;
  payments: Payments;
  log: Logger;
}

/** A frozen instance delays a job by this much at most. */
const LEASE_MS = 5_000;
const EVERY_MS = 1_000;

/**
 * Starts a job that one instance at a time runs, every second and when woken. While nothing is due, nothing is written.
 */
export const startJob = (
  { pool, log }: Pick<JobDeps, 'pool' | 'log'>,
  {
    name,
    everyMs = EVERY_MS,
    isDue,
    work,
  }: {
    name: string;
    everyMs: number | undefined;
    isDue: () => Promise<boolean>;
    work: (hasLease: () => boolean) => Promise<void>;
  },
): Poller =>
  startPolling(log, name, everyMs, async () => {
    if (await isDue()) await withLease(pool, { name, ms: LEASE_MS }, work);
    return false; // what failed is tried again in the next second, not at once
  });

/** Runs `work` over a list that is read page by page, so many at a time: one that takes long holds up no other. */
export async function forEach<T>(
  items: AsyncGenerator<T>,
  atOnce: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = await items.next(); !next.done; next = await items.next()) await work(next.value);
    }),
  );
}
