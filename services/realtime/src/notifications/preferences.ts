import {
  MailedKind,
  NotificationKind,
  type NotificationChoices,
  type NotificationPreferences,
} from '@beltway/contracts/realtime/notifications';
import { badField } from '@beltway/kit/problems';
import type { Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import { acceptedBy, firstSecret, keyedText, sameText, type Secrets } from '@beltway/kit/secrets';

/**
 * An account's preferences. By default, all kinds are shown on the page and pushed to devices, and no kind is mailed.
 */
export async function preferencesOf(db: Queryable, userId: number): Promise<NotificationPreferences> {
  const chosen = await kysely(db)
    .selectFrom('notificationPreferences')
    .select(['pageOff', 'mailOn', 'isDaily', 'pushOff'])
    .where('userId', '=', userId)
    .executeTakeFirst();
  const { pageOff, mailOn, isDaily, pushOff } = chosen ?? { pageOff: [], mailOn: [], isDaily: false, pushOff: [] };
  const page = NotificationKind.options.map((kind) => [kind, !pageOff.includes(kind)]);
  const push = NotificationKind.options.map((kind) => [kind, !pushOff.includes(kind)]);
  const mail = MailedKind.options.map((kind) => [kind, mailOn.includes(kind)]);
  return {
    page: Object.fromEntries(page) as NotificationPreferences['page'],
    mail: Object.fromEntries(mail) as NotificationPreferences['mail'],
    push: Object.fromEntries(push) as NotificationPreferences['push'],
    isDaily,
  };
}

const kindsWith = (choices: Record<string, boolean | undefined> = {}, isOn: boolean): string[] =>
  Object.entries(choices)
    .filter(([, on]) => on === isOn)
    .map(([kind]) => kind);

/** Adds kinds to the list in a column, and removes other kinds. */
const withKinds = (column: string, [more, fewer]: string[][]) =>
  sql<
    string[]
  >`array(select unnest(${sql.ref(`notificationPreferences.${column}`)}) union select unnest(${more}::text[])
    except select unnest(${fewer}::text[]))`;

/** Changes the preferences for future notifications. Missing preferences are unchanged. Returns all preferences. */
export async function choose(
  db: Queryable,
  userId: number,
  { page, mail, push, isDaily }: NotificationChoices,
): Promise<NotificationPreferences> {
  const pages = [kindsWith(page, false), kindsWith(page, true)];
  const mails = [kindsWith(mail, true), kindsWith(mail, false)];
  const pushes = [kindsWith(push, false), kindsWith(push, true)];
  await kysely(db)
    .insertInto('notificationPreferences')
    .values({ userId, pageOff: pages[0]!, mailOn: mails[0]!, pushOff: pushes[0]!, isDaily: isDaily ?? false })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet({
        pageOff: withKinds('pageOff', pages),
        mailOn: withKinds('mailOn', mails),
        pushOff: withKinds('pushOff', pushes),
        ...(isDaily !== undefined && { isDaily }),
      }),
    )
    .execute();
  return preferencesOf(db, userId);
}

/** The scope of an unsubscribe link: the mails of one kind, or the daily mail. */
export type MailScope = MailedKind | 'daily';

const PURPOSE = 'unsubscribe';

/** The signed text in a mail's unsubscribe link. It contains the account and the scope. */
export const unsubscribeToken = (secrets: Secrets, userId: number, scope: MailScope): string =>
  `${userId}.${scope}.${keyedText(firstSecret(secrets), PURPOSE, `${userId}.${scope}`)}`;

/** Ends the mails that the link is for; a repeat changes nothing. Throws 400 at `token` for a forged text. */
export async function unsubscribe(db: Queryable, secrets: Secrets, token: string): Promise<void> {
  const [user = '', scope = '', proof = ''] = token.split('.');
  if (!acceptedBy(secrets, (secret) => sameText(proof, keyedText(secret, PURPOSE, `${user}.${scope}`))))
    throw badField('token', 'invalid.mail-token');
  await kysely(db)
    .updateTable('notificationPreferences')
    .set(({ fn, ref, val }) => ({
      mailOn: scope === 'daily' ? [] : fn<string[]>('array_remove', [ref('mailOn'), val(scope)]),
    }))
    .where('userId', '=', Number(user))
    .execute();
}
