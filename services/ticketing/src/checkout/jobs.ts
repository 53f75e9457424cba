import { withLease } from '@beltway/kit/lease';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { ordersToReturn } from '../order/queries.ts';
import { expireHolds, isLapsed, settleLapsedPayments } from './expire-holds.ts';
import { hasEndedNotes, sweepNetworkHolds } from './network-holds.ts';
import { returnCanceled } from './return.ts';
import type { JobDeps } from './sell.ts';

/** The duration of the lease of a job. An instance that freezes delays the job by at most this time. */
const LEASE_MS = 5_000;
const SECOND_MS = 1_000;
const SWEEP_MS = 60_000;

interface Job {
  name: string;
  everyMs: number;
  isDue: () => Promise<boolean>;
  work: (hasLease: () => boolean) => Promise<void>;
}

/**
 * Runs a job at its interval and when it is woken, on one instance at a time. Taking the lease is a write, so the lease
 * is only taken if something is due.
 */
const startJob = ({ pool, log }: JobDeps, { name, everyMs, isDue, work }: Job): Poller =>
  startPolling(log, name, everyMs, async () => {
    if (await isDue()) await withLease(pool, { name, ms: LEASE_MS }, work);
    return false; // failures are retried after the interval, not immediately
  });

/** Starts two jobs, so that a slow provider does not delay the release of holds without a payment. */
export function startExpiring(deps: JobDeps, everyMs = SECOND_MS): Pick<Poller, 'stop'> {
  const jobs = [
    startJob(deps, {
      name: 'expire holds',
      everyMs,
      isDue: () => isLapsed(deps, false),
      work: (hasLease) => expireHolds(deps, hasLease),
    }),
    startJob(deps, {
      name: 'settle lapsed payments',
      everyMs,
      isDue: () => isLapsed(deps, true),
      work: (hasLease) => settleLapsedPayments(deps, hasLease),
    }),
  ];
  return { stop: async () => void (await Promise.all(jobs.map((job) => job.stop()))) };
}

/**
 * Starts the job that returns orders of canceled events. When this instance consumes an event's cancellation, it wakes
 * the job.
 */
export const startReturning = (deps: JobDeps, everyMs = SECOND_MS): Poller =>
  startJob(deps, {
    name: 'return canceled orders',
    everyMs,
    isDue: async () => (await ordersToReturn(deps.pool, 1)).length > 0,
    work: (hasLease) => returnCanceled(deps, hasLease),
  });

export const startSweeping = (deps: JobDeps): Poller =>
  startJob(deps, {
    name: 'sweep network holds',
    everyMs: SWEEP_MS,
    isDue: () => hasEndedNotes(deps.pool),
    work: () => sweepNetworkHolds(deps.pool),
  });
