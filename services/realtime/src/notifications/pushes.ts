import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Language } from '@beltway/contracts/common/languages';
import type { NotificationKind } from '@beltway/contracts/realtime/notifications';
import type { InternalClient } from '@beltway/kit/internal';
import { NotYet, startQueue, type Job, type Queue, type Worker } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';
import { kysely } from '../db.ts';
import { addressOf } from './account-address.ts';
import { preferencesOf } from './preferences.ts';
import type { PushOutcome, PushSender } from './push-sender.ts';
import { stillUnread } from './queries.ts';

/** A push that is older than this is obsolete. */
const NEWS_MS = 24 * 3_600_000;

interface QueuedPush {
  subscriptionId: string;
  notificationId: number;
}
/**
 * The key of a push begins with the subscription. Done pushes stay in the queue for a month, so that nothing is pushed
 * twice.
 */
export const notificationPushes: Queue<QueuedPush> = {
  name: 'notification-push',
  maxAttempts: 6,
  pauseMs: (failures) => Math.min(15_000 * 4 ** (failures - 1), 3_600_000),
  // Several times as long as an exchange takes.
  leaseSeconds: 60,
  concurrency: 20,
  keepsDone: true,
};

export interface PushDeps {
  pool: Pool;
  log: Logger;
  /** Undefined if this server sends no pushes. */
  push: PushSender | undefined;
  /** Source of an account's language. */
  identity: Pick<InternalClient, 'get'>;
  clock: () => Date;
}

/**
 * Sends pushes to browsers. Each push is sent to each browser at least once; in the browser, a repeated push replaces
 * the first. Preferences, language and read state at the time of sending apply.
 */
export function startPushes({ pool, log, push, identity, clock }: PushDeps): Worker {
  /**
   * The language of the account's mails. English if identity does not respond, because a delayed push would no longer
   * be news.
   */
  const languageOf = async (userId: number): Promise<Language> =>
    (await addressOf(identity, userId).catch(() => null))?.language ?? 'en';

  /** null if the push is obsolete, or the browser is unsubscribed. */
  async function deliver({ key, data, createdAt }: Job<QueuedPush>): Promise<PushOutcome | null> {
    if (!push || clock().getTime() - createdAt.getTime() > NEWS_MS) return null;
    const subscription = await kysely(pool)
      .selectFrom('pushSubscriptions')
      .select(['userId', 'endpoint', 'p256dh', 'auth'])
      .where('id', '=', data.subscriptionId)
      .executeTakeFirst();
    if (!subscription) return null;
    const { userId, endpoint, p256dh, auth } = subscription;
    const { push: chosen } = await preferencesOf(pool, userId);
    const kinds = Object.entries(chosen).flatMap(([kind, isOn]) => (isOn ? [kind as NotificationKind] : []));
    const language = await languageOf(userId);
    const [told] = await stillUnread(pool, userId, kinds, { id: data.notificationId }, language);
    if (!told) return null;
    const { title, text, path, id } = told;
    // The topic is a digest of the key, because push services can read topics.
    const topic = createHash('sha256').update(key).digest('base64url').slice(0, 32);
    return push.send({ endpoint, keys: { p256dh, auth } }, { title, body: text, path, tag: `n${id}` }, topic);
  }

  return startQueue({ pool, log }, notificationPushes, async (job) => {
    const outcome = await deliver(job);
    switch (outcome?.is) {
      case 'gone':
        // The subscription's pending pushes are deleted with it.
        await kysely(pool).deleteFrom('pushSubscriptions').where('id', '=', job.data.subscriptionId).execute();
        return;
      case 'later':
        // Anyone can register a push service, so a push service that never responds must not raise an alert.
        if (job.attempts >= notificationPushes.maxAttempts) log.warn(`a push was not sent: ${outcome.why}`);
        else throw new NotYet(outcome.why, outcome.pauseSeconds);
        return;
      case 'refused':
        log.warn('a push was not sent: refused');
        return;
      case 'sent':
      case undefined:
        return;
    }
  });
}
