import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Language } from '@beltway/contracts/common/languages';
import type { NotificationKind } from '@beltway/contracts/realtime/notifications';
import { prepared } from '@beltway/event-store';
import type { InternalClient } from '@beltway/kit/internal';
import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { addressOf } from './account-address.ts';
import { preferencesOf } from './preferences.ts';
import type { PushOutcome, PushSender } from './push-sender.ts';
import { stillUnread } from './queries.ts';

const IDLE_MS = 5_000;
/** Under way at a time, of this process. */
const AT_ONCE = 20;
/** For so long a push is in the hands of who sends it: several times what an exchange may take. */
const LEASE_SECONDS = 60;
const MAX_ATTEMPTS = 6;
/** Later it is no news any more, in hours. */
const NEWS_HOURS = 24;
const pauseSeconds = (attempts: number): number => Math.min(3_600, 15 * 4 ** (attempts - 1));

export interface PushDeps {
  pool: Pool;
  log: Logger;
  /** Undefined: this server sends none; what waits stays until it is no news any more. */
  push: PushSender | undefined;
  /** Asked which language an account reads. */
  identity: Pick<InternalClient, 'get'>;
  clock: () => Date;
}

interface Claimed {
  id: string;
  key: string;
  notificationId: string;
  attempts: number;
  isOld: boolean;
  subscriptionId: string;
  userId: number;
  endpoint: string;
  p256dh: string;
  auth: string;
}

export interface Pushes extends Poller {
  /** Sends all that is due now. */
  work(): Promise<void>;
}

const CLAIM = `with claimed as (
    update notification_pushes set attempts = attempts + 1, next_at = $1::timestamptz + make_interval(secs => ${LEASE_SECONDS})
    where id in (select id from notification_pushes where status = 'waiting' and next_at <= $1 order by next_at limit ${AT_ONCE}
      for update skip locked)
    returning id, key, notification_id, attempts, queued_at, subscription_id
  )
  select c.id, c.key, c.notification_id as "notificationId", c.attempts, s.id as "subscriptionId", s.user_id as "userId", s.endpoint,
    s.p256dh, s.auth, c.queued_at < $1::timestamptz - interval '${NEWS_HOURS} hours' as "isOld"
  from claimed c join push_subscriptions s on s.id = c.subscription_id`;

/**
 * Sends what browsers are to show: each key once to each, at least; a browser that is told twice shows it in the place of the first. What
 * was chosen, whether it was read, and in which language, is asked as it is sent.
 */
export function startPushes({ pool, log, push, identity, clock }: PushDeps): Pushes {
  /** That of the account's mails; while identity does not answer, English: a push that waits is no news any more. */
  const languageOf = async (userId: number): Promise<Language> =>
    (await addressOf(identity, userId).catch(() => null))?.language ?? 'en';

  async function deliver(sender: PushSender, claimed: Claimed): Promise<PushOutcome | null> {
    const { userId, notificationId, endpoint, p256dh, auth, key, isOld } = claimed;
    if (isOld) return null;
    const { push: chosen } = await preferencesOf(pool, userId);
    const kinds = Object.entries(chosen).flatMap(([kind, isOn]) => (isOn ? [kind as NotificationKind] : []));
    const language = await languageOf(userId);
    const [told] = await stillUnread(pool, userId, kinds, { id: Number(notificationId) }, language);
    if (!told) return null;
    const { title, text, path, id } = told;
    // Push services read topics: no word of ours.
    const topic = createHash('sha256').update(`${userId} ${key}`).digest('base64url').slice(0, 32);
    return sender.send({ endpoint, keys: { p256dh, auth } }, { title, body: text, path, tag: `n${id}` }, topic);
  }

  async function settle(claimed: Claimed, outcome: PushOutcome | null): Promise<void> {
    const { id, attempts, subscriptionId } = claimed;
    if (outcome?.is === 'gone') {
      // And with it all that waits for it.
      await pool.query('delete from push_subscriptions where id = $1', [subscriptionId]);
      return;
    }
    if (outcome?.is === 'later' && attempts < MAX_ATTEMPTS) {
      const pause = Math.max(pauseSeconds(attempts), outcome.pauseSeconds ?? 0);
      log.debug({ why: outcome.why }, 'a push was not sent yet');
      await pool.query('update notification_pushes set next_at = $2::timestamptz where id = $1', [
        id,
        new Date(clock().getTime() + pause * 1_000),
      ]);
      return;
    }
    const status = outcome === null ? 'dropped' : outcome.is === 'sent' ? 'sent' : 'failed';
    if (status === 'failed') log.warn(`a push was not sent: ${outcome?.is === 'later' ? outcome.why : 'refused'}`);
    await pool.query('update notification_pushes set status = $2 where id = $1', [id, status]);
  }

  async function sendNext(): Promise<boolean> {
    if (!push) return false;
    const { rows } = await pool.query<Claimed>(prepared(CLAIM, [clock()]));
    const settled = await Promise.allSettled(
      rows.map(async (claimed) => settle(claimed, await deliver(push, claimed))),
    );
    for (const one of settled)
      if (one.status === 'rejected') log.warn({ err: one.reason as unknown }, 'a push waits for its next turn');
    return rows.length > 0;
  }

  const polling = startPolling(log, 'pushes of notifications', IDLE_MS, sendNext);
  polling.wake();
  return {
    wake: polling.wake,
    work: async () => {
      while (await sendNext());
    },
    stop: polling.stop,
  };
}
