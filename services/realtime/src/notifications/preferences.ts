import { MailedKind, NotificationKind, type NotificationPreferences } from '@beltway/contracts/notifications';
import { badField } from '@beltway/kit/problems';
import type { Queryable } from '@beltway/kit/postgres';
import { acceptedBy, firstSecret, keyedText, sameText, type Secrets } from '@beltway/kit/secrets';

interface Row {
  pageOff: string[];
  mailOn: string[];
  isDaily: boolean;
}

/** What an account chose. Who chose nothing is told everything on the page, and nothing by mail. */
export async function preferencesOf(db: Queryable, userId: number): Promise<NotificationPreferences> {
  const { rows } = await db.query<Row>(
    'select page_off as "pageOff", mail_on as "mailOn", is_daily as "isDaily" from notification_preferences where user_id = $1',
    [userId],
  );
  const { pageOff, mailOn, isDaily } = rows[0] ?? { pageOff: [], mailOn: [], isDaily: false };
  const page = NotificationKind.options.map((kind) => [kind, !pageOff.includes(kind)]);
  const mail = MailedKind.options.map((kind) => [kind, mailOn.includes(kind)]);
  return {
    page: Object.fromEntries(page) as NotificationPreferences['page'],
    mail: Object.fromEntries(mail) as NotificationPreferences['mail'],
    isDaily,
  };
}

const kindsWith = (choices: Record<string, boolean>, isOn: boolean): string[] =>
  Object.entries(choices)
    .filter(([, on]) => on === isOn)
    .map(([kind]) => kind);

/** What is told from now on goes by these. */
export const choose = (db: Queryable, userId: number, { page, mail, isDaily }: NotificationPreferences) =>
  db.query(
    `insert into notification_preferences (user_id, page_off, mail_on, is_daily) values ($1, $2, $3, $4)
     on conflict (user_id) do update set page_off = excluded.page_off, mail_on = excluded.mail_on, is_daily = excluded.is_daily`,
    [userId, kindsWith(page, false), kindsWith(mail, true), isDaily],
  );

/** What a link of a mail ends: mails of one kind, or those of a day with all that is in them. */
export type MailScope = MailedKind | 'daily';

const PURPOSE = 'unsubscribe';

/** The text by which a mail's link names account and scope; nobody else can make one. */
export const unsubscribeToken = (secrets: Secrets, userId: number, scope: MailScope): string =>
  `${userId}.${scope}.${keyedText(firstSecret(secrets), PURPOSE, `${userId}.${scope}`)}`;

/** Ends the mails that the link of a mail is of; a repeat changes nothing. Throws 400 at `token` for a text of another's making. */
export async function unsubscribe(db: Queryable, secrets: Secrets, token: string): Promise<void> {
  const [user = '', scope = '', proof = ''] = token.split('.');
  if (!acceptedBy(secrets, (secret) => sameText(proof, keyedText(secret, PURPOSE, `${user}.${scope}`))))
    throw badField('token', 'This link is not one of ours, or not whole.');
  await db.query(
    `update notification_preferences set mail_on = case when $2 = 'daily' then '{}' else array_remove(mail_on, $2) end
     where user_id = $1`,
    [Number(user), scope],
  );
}
