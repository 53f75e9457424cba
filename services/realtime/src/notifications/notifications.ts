import type { Bus } from '@beltway/kit/bus';
import { startPolling } from '@beltway/kit/polling';
import { startConsumers } from './consumers.ts';
import { startFacts, type FactDeps } from './facts.ts';
import { startNotificationMails, type MailDeps } from './mails.ts';
import { dropEnded, followSessions } from './push-subscriptions.ts';
import { startPushes, type PushDeps } from './pushes.ts';
import { dropOld } from './queries.ts';

const DROP_MS = 3_600_000;

export interface Notifications {
  /** Must be called when a fact for many accounts was recorded. */
  wake(): void;
  /** Must be called when these accounts have a new notification. */
  notified(userIds: readonly number[]): void;
  /** Sends all notifications that are due now. */
  work(): Promise<void>;
  /** Sends all mails that are due now. */
  sendMails(): Promise<void>;
  /** Sends all pushes that are due now. */
  sendPushes(): Promise<void>;
  stop(): Promise<void>;
}

/** Consumes messages, notifies the accounts concerned, and deletes old notifications. */
export async function startNotifications({
  bus,
  ...given
}: FactDeps & MailDeps & PushDeps & { bus: Bus }): Promise<Notifications> {
  const { pool, log, clock } = given;
  const pushes = startPushes(given);
  const tell = (userIds: readonly number[]) => {
    given.tell(userIds);
    pushes.wake();
  };
  const deps = { ...given, tell };
  const facts = startFacts(deps);
  const consumers = await startConsumers({ ...deps, bus, noted: facts.wake });
  const sessions = await followSessions({ pool, bus, log });
  const mails = startNotificationMails(deps);
  const dropping = startPolling(log, 'drop old notifications', DROP_MS, async () => {
    await dropEnded(pool, clock());
    return dropOld(pool, clock());
  });
  dropping.wake();
  return {
    wake: facts.wake,
    notified: tell,
    work: facts.work,
    sendMails: mails.work,
    sendPushes: pushes.work,
    stop: async () => {
      await Promise.all([consumers.stop(), sessions.stop()]);
      await Promise.all([facts.stop(), mails.stop(), pushes.stop(), dropping.stop()]);
    },
  };
}
