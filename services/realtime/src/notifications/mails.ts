import type { Pool } from 'pg';
import { MailedKind } from '@beltway/contracts/realtime/notifications';
import { dayAt, daysAfter, instantOf, zonedText } from '@beltway/contracts/common/times';
import { prepared } from '@beltway/event-store';
import type { InternalClient } from '@beltway/kit/internal';
import type { Logger } from '@beltway/kit/logger';
import type { Mail, Mailer } from '@beltway/kit/mail';
import { startPolling } from '@beltway/kit/polling';
import type { Secrets } from '@beltway/kit/secrets';
import { addressOf } from './account-address.ts';
import { notificationMail, type MailedNotification } from './mail-texts.ts';
import { preferencesOf } from './preferences.ts';
import { stillUnread, type Which } from './queries.ts';

const IDLE_MS = 20_000;
/** For so long a mail is in the hands of who sends it. */
const LEASE_SECONDS = 900;
const MAX_ATTEMPTS = 8;
const pauseSeconds = (attempts: number): number => Math.min(3_600, 30 * 2 ** attempts);
/** By the clock of New York, the mail of a day is made from this hour on, and not after the other one: nobody wants it at night. */
const [DAILY_FROM, DAILY_UNTIL] = ['08:00', '12:00'];
/** Notifications in the mail of a day, or of an hour. */
const MAX_IN_MAIL = 20;

export interface MailDeps {
  pool: Pool;
  log: Logger;
  mailer: Pick<Mailer, 'send'>;
  /** Asked where an account has its mail. */
  identity: Pick<InternalClient, 'get'>;
  internalToken: Secrets;
  publicUrl: string;
  /** Whom readers can ask. */
  support: string | undefined;
  clock: () => Date;
}

interface Claimed {
  id: string;
  userId: number;
  key: string;
  notificationId: string | null;
  attempts: number;
}

export interface NotificationMails {
  /** Sends all that is due now. */
  work(): Promise<void>;
  stop(): Promise<void>;
}

/** The notifications that the mail of a day has: those of the day until its morning. */
const spanOf = (day: string) => ({
  since: instantOf(daysAfter(day, -1), DAILY_FROM),
  until: instantOf(day, DAILY_FROM),
});

/** The key of a mail that has all of a kind that rang within one hour of the clock, since 1970 (`ring.ts`). */
const OF_HOUR = /^(search-matched):(\d+)$/;
const HOUR_MS = 3_600_000;
/** `at` is after `since`: a millisecond before the hour begins. */
const spanOfHour = (hour: number) => ({
  since: new Date(hour * HOUR_MS - 1),
  until: new Date((hour + 1) * HOUR_MS - 1),
});

/**
 * Sends the mails of notifications: each once, for a mail that may have been sent before has the same id. What was chosen is asked as it is
 * sent, so that a change is effective at once; what was read on the page meanwhile is not mailed.
 */
export function startNotificationMails(deps: MailDeps): NotificationMails {
  const { pool, log, mailer, identity, internalToken, publicUrl, support, clock } = deps;

  /** One mail for each account that wants one a day, and has something unread. */
  async function queueDaily(): Promise<void> {
    const now = clock();
    const time = zonedText(now).slice(11, 16);
    if (time < DAILY_FROM! || time >= DAILY_UNTIL!) return;
    const day = dayAt(now);
    const { since, until } = spanOf(day);
    await pool.query(
      `insert into notification_mails (user_id, key)
       select p.user_id, $1 from notification_preferences p where p.is_daily and exists (
         select from notifications n where n.user_id = p.user_id and n.at > $2 and n.at <= $3 and n.read_at is null
           and n.kind = any(p.mail_on))
       on conflict (user_id, key) do nothing`,
      [`daily:${day}`, since, until],
    );
  }

  /** Null: there is nothing to be told any more, or nobody who wants it. */
  async function compose({ id, userId, key, notificationId }: Claimed): Promise<Mail | null> {
    const { mail, isDaily } = await preferencesOf(pool, userId);
    const ofDay = notificationId === null;
    if (ofDay !== isDaily) return null;
    const ofHour = OF_HOUR.exec(key);
    const wanted = MailedKind.options.filter((kind) => mail[kind] && (!ofHour || kind === ofHour[1]));
    const which: Which = ofHour
      ? { ...spanOfHour(Number(ofHour[2])), limit: MAX_IN_MAIL }
      : ofDay
        ? { ...spanOf(key.slice('daily:'.length)), limit: MAX_IN_MAIL }
        : { id: Number(notificationId) };
    const address = await addressOf(identity, userId);
    if (address === null) return null;
    const { email: to, language } = address;
    const items = (await stillUnread(pool, userId, wanted, which, language)) as MailedNotification[];
    if (items.length === 0) return null;
    const context = { id: `notification-${id}`, to, language, userId, publicUrl, support, secrets: internalToken };
    return notificationMail(items, ofDay ? 'daily' : items[0]!.kind, context);
  }

  async function sendNext(): Promise<boolean> {
    const { rows } = await pool.query<Claimed>(
      prepared(
        `update notification_mails set attempts = attempts + 1, next_at = $1::timestamptz + make_interval(secs => ${LEASE_SECONDS})
         where id = (select id from notification_mails where status = 'waiting' and next_at <= $1 order by next_at limit 1 for update skip locked)
         returning id, user_id as "userId", key, notification_id as "notificationId", attempts`,
        [clock()],
      ),
    );
    const claimed = rows[0];
    if (!claimed) return false;
    try {
      const mail = await compose(claimed);
      if (mail) await mailer.send(mail);
      await pool.query('update notification_mails set status = $2, last_error = null where id = $1', [
        claimed.id,
        mail ? 'sent' : 'dropped',
      ]);
    } catch (error) {
      const isLast = claimed.attempts >= MAX_ATTEMPTS;
      log[isLast ? 'error' : 'warn']({ err: error }, `a mail of a notification was not sent${isLast ? '' : ' yet'}`);
      await pool.query(`update notification_mails set status = $2, last_error = $3, next_at = $4 where id = $1`, [
        claimed.id,
        isLast ? 'failed' : 'waiting',
        error instanceof Error ? error.message.slice(0, 500) : String(error),
        new Date(clock().getTime() + pauseSeconds(claimed.attempts) * 1_000),
      ]);
    }
    return true;
  }

  const polling = startPolling(log, 'mails of notifications', IDLE_MS, async () => {
    await queueDaily();
    return sendNext();
  });
  polling.wake();
  return {
    work: async () => {
      await queueDaily();
      while (await sendNext());
    },
    stop: polling.stop,
  };
}
