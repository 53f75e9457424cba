import type { Bus } from '@beltway/kit/bus';
import { startPolling } from '@beltway/kit/polling';
import { startConsumers } from './consumers.ts';
import { startFacts, type FactDeps } from './facts.ts';
import { dropOld } from './queries.ts';

const DROP_MS = 3_600_000;

export interface Notifications {
  /** Tells all that is due now. */
  work(): Promise<void>;
  stop(): Promise<void>;
}

/** Hears what happened, tells it to whom it concerns, and drops what is not kept any longer. */
export async function startNotifications({ bus, ...deps }: FactDeps & { bus: Bus }): Promise<Notifications> {
  const { pool, log, clock } = deps;
  const facts = startFacts(deps);
  const consumers = await startConsumers({ ...deps, bus, noted: facts.wake });
  const dropping = startPolling(log, 'drop old notifications', DROP_MS, () => dropOld(pool, clock()));
  dropping.wake();
  return {
    work: facts.work,
    stop: async () => {
      await consumers.stop();
      await Promise.all([facts.stop(), dropping.stop()]);
    },
  };
}
