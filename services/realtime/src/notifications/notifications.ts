import type { Bus } from '@beltway/kit/bus';
import { startPolling } from '@beltway/kit/polling';
import { startConsumers } from './consumers.ts';
import { startFacts, type FactDeps } from './facts.ts';
import { startNotificationMails, type MailDeps } from './mails.ts';
import { dropOld } from './queries.ts';

const DROP_MS = 3_600_000;

export interface Notifications {
  /** Tells all that is due now. */
  work(): Promise<void>;
  /** Sends all mails that are due now. */
  sendMails(): Promise<void>;
  stop(): Promise<void>;
}

/** Hears what happened, tells it to whom it concerns, and drops what is not kept any longer. */
export async function startNotifications({ bus, ...deps }: FactDeps & MailDeps & { bus: Bus }): Promise<Notifications> {
  const { pool, log, clock } = deps;
  const facts = startFacts(deps);
  const consumers = await startConsumers({ ...deps, bus, noted: facts.wake });
  const mails = startNotificationMails(deps);
  const dropping = startPolling(log, 'drop old notifications', DROP_MS, () => dropOld(pool, clock()));
  dropping.wake();
  return {
    work: facts.work,
    sendMails: mails.work,
    stop: async () => {
      await consumers.stop();
      await Promise.all([facts.stop(), mails.stop(), dropping.stop()]);
    },
  };
}
