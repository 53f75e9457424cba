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

/** A push that is older is obsolete. */
const NEWS_MS = 24 * 3_600_000;

interface QueuedPush {
  subscriptionId: string;
  notificationId: number;
}
/** Keys begin with the subscription. They are kept for a month, so that nothing is pushed twice. */
export const notificationPushes: Queue<QueuedPush> = {
  name: 'notification-push',
  maxAttempts: 6,
  pauseMs: (failures) => Math.min(15_000 * 4 ** (failures - 1), 3_600_000),
  // Several times what an exchange may take.
  leaseSeconds: 60,
  concurrency: 20,
  keepsDone: true,
};

export interface PushDeps {
  pool: Pool;
  log: Logger;
  /** Undefined: this server sends none. */
  push: PushSender | undefined;
  /** Asked which language an account reads. */
  identity: Pick<InternalClient, 'get'>;
  clock: () => Date;
}

/**
 * Sends pushes to browsers: each key once to each, at least; a browser shows a second one in place of the first. Preferences, language and
 * whether it was read are those of the moment it is sent.
 */
export function startPushes({ pool, log, push, identity, clock }: PushDeps): Worker {
  /** That of the account's mails; while identity does not answer, English: a push that waits is no news any more. */
  const languageOf = async (userId: number): Promise<Language> =>
    (await addressOf(identity, userId).catch(() => null))?.language ?? 'en';

  /** null: the push is obsolete, or the browser is forgotten. */
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
    // Push services read topics: no word of ours.
    const topic = createHash('sha256').update(key).digest('base64url').slice(0, 32);
    return push.send({ endpoint, keys: { p256dh, auth } }, { title, body: text, path, tag: `n${id}` }, topic);
  }

  return startQueue({ pool, log }, notificationPushes, async (job) => {
    const outcome = await deliver(job);
    switch (outcome?.is) {
      case 'gone':
        // And with it all that waits for it.
        await kysely(pool).deleteFrom('pushSubscriptions').where('id', '=', job.data.subscriptionId).execute();
        return;
      case 'later':
        // Anyone can name a push service: one that never answers is no reason for an alert.
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
