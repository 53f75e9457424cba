import type { Pool } from 'pg';
import { MailedKind, type NotificationKind } from '@beltway/contracts/realtime/notifications';
import { dayAt, daysAfter, instantOf, zonedText } from '@beltway/contracts/common/times';
import { uuidFrom } from '@beltway/event-store';
import type { InternalClient } from '@beltway/kit/internal';
import { enqueue, mailQueue, startQueue, type Job, type Worker } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';
import type { Mail, Mailer } from '@beltway/kit/mail';
import { startPolling } from '@beltway/kit/polling';
import type { Secrets } from '@beltway/kit/secrets';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import { addressOf } from './account-address.ts';
import { notificationMail, type MailedNotification } from './mail-texts.ts';
import { preferencesOf } from './preferences.ts';
import { stillUnread, type Which } from './queries.ts';

/** How often daily mails are queued, during their hours. */
const DAILY_MS = 60_000;
/** The hours in New York in which daily mails are made, so that they do not arrive at night. */
const [DAILY_FROM, DAILY_UNTIL] = ['08:00', '12:00'];
/** Maximum number of notifications in a daily or hourly mail. */
const MAX_IN_MAIL = 20;
const BATCH = 1_000;

/**
 * A mail has one notification, all notifications of a kind within an hour (counted since 1970), or all notifications of
 * a day.
 */
export type QueuedMail = { userId: number } & (
  | { id: number }
  | { kind: NotificationKind; hour: number }
  | { day: string }
);
/**
 * The key of a mail begins with the account. Done mails stay in the queue for a month, so that nothing is mailed twice.
 */
export const notificationMails = mailQueue<QueuedMail>('notification-mail', { keepsDone: true });

export interface MailDeps {
  pool: Pool;
  log: Logger;
  mailer: Pick<Mailer, 'send'>;
  /** Source of accounts' email addresses. */
  identity: Pick<InternalClient, 'get'>;
  internalToken: Secrets;
  publicUrl: string;
  /** Support email address in mails. */
  support: string | undefined;
  clock: () => Date;
}

/** The time span of a daily mail. It ends in the morning of the given day. */
const spanOf = (day: string) => ({
  since: instantOf(daysAfter(day, -1), DAILY_FROM),
  until: instantOf(day, DAILY_FROM),
});

const HOUR_MS = 3_600_000;
/** `since` is exclusive, so `since` is a millisecond before the hour begins. */
const spanOfHour = (hour: number) => ({
  since: new Date(hour * HOUR_MS - 1),
  until: new Date((hour + 1) * HOUR_MS - 1),
});

/**
 * Sends the mails of notifications. A mail that is sent twice has the same id. The account's preferences at the time of
 * sending apply. Notifications that were already read in the browser are left out.
 */
export function startNotificationMails(deps: MailDeps): Worker {
  const { pool, log, mailer, identity, internalToken, publicUrl, support, clock } = deps;

  /**
   * Queues a mail for each account that chose a daily mail and has unread notifications. Returns whether there may be
   * more accounts.
   */
  async function queueDaily(): Promise<boolean> {
    const now = clock();
    const time = zonedText(now).slice(11, 16);
    if (time < DAILY_FROM! || time >= DAILY_UNTIL!) return false;
    const day = dayAt(now);
    const { since, until } = spanOf(day);
    const rows = await kysely(pool)
      .selectFrom('notificationPreferences as p')
      .select('p.userId')
      .where('p.isDaily', '=', true)
      // SQL text, because jobs are a table of the kit.
      .where(
        sql<boolean>`not exists (select from jobs where queue = ${notificationMails.name}
          and key = p.user_id || '/daily:' || ${day}::text)`,
      )
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('notifications as n')
            .select('n.id')
            .whereRef('n.userId', '=', 'p.userId')
            .where('n.at', '>', since)
            .where('n.at', '<=', until)
            .where('n.readAt', 'is', null)
            .where(({ eb, fn }) => eb('n.kind', '=', fn<string>('any', ['p.mailOn']))),
        ),
      )
      .orderBy('p.userId')
      .limit(BATCH)
      .execute();
    const mails = rows.map(({ userId }) => ({ key: `${userId}/daily:${day}`, data: { userId, day } }));
    if (mails.length > 0) await enqueue(pool, notificationMails, mails);
    return rows.length === BATCH;
  }

  /** null if the mail is obsolete or has no recipient. */
  async function compose({ key, data }: Job<QueuedMail>): Promise<Mail | null> {
    const { userId } = data;
    const { mail, isDaily } = await preferencesOf(pool, userId);
    const ofDay = 'day' in data;
    if (ofDay !== isDaily) return null;
    const wanted = MailedKind.options.filter((kind) => mail[kind] && (!('kind' in data) || kind === data.kind));
    const which: Which =
      'id' in data
        ? { id: data.id }
        : { ...('day' in data ? spanOf(data.day) : spanOfHour(data.hour)), limit: MAX_IN_MAIL };
    const address = await addressOf(identity, userId);
    // Titles and names are written by strangers, so an unverified email address gets no such mail.
    if (address === null || !address.isVerified) return null;
    const { email: to, language } = address;
    const items = (await stillUnread(pool, userId, wanted, which, language)) as MailedNotification[];
    if (items.length === 0) return null;
    const id = `notification-${uuidFrom(key)}`;
    const context = { id, to, language, userId, publicUrl, support, secrets: internalToken };
    return notificationMail(items, ofDay ? 'daily' : items[0]!.kind, context);
  }

  const sending = startQueue({ pool, log }, notificationMails, async (job) => {
    const mail = await compose(job);
    if (mail) await mailer.send(mail);
  });
  const daily = startPolling(log, 'mails of the day', DAILY_MS, queueDaily);
  daily.wake();
  return {
    wake: sending.wake,
    work: async () => {
      while (await queueDaily());
      await sending.work();
    },
    stop: async () => {
      await Promise.all([daily.stop(), sending.stop()]);
    },
  };
}
