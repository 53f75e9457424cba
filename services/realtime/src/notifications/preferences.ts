import {
  MailedKind,
  NotificationKind,
  type NotificationChoices,
  type NotificationPreferences,
} from '@beltway/contracts/realtime/notifications';
import { badField } from '@beltway/kit/problems';
import type { Queryable } from '@beltway/kit/postgres';
import { acceptedBy, firstSecret, keyedText, sameText, type Secrets } from '@beltway/kit/secrets';

interface Row {
  pageOff: string[];
  mailOn: string[];
  isDaily: boolean;
  pushOff: string[];
}

/** What an account chose. Who chose nothing is told everything on the page and on their devices, and nothing by mail. */
export async function preferencesOf(db: Queryable, userId: number): Promise<NotificationPreferences> {
  const { rows } = await db.query<Row>(
    'select page_off as "pageOff", mail_on as "mailOn", is_daily as "isDaily", push_off as "pushOff" from notification_preferences where user_id = $1',
    [userId],
  );
  const { pageOff, mailOn, isDaily, pushOff } = rows[0] ?? { pageOff: [], mailOn: [], isDaily: false, pushOff: [] };
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

/** A list of kinds with some more and without others. */
const withKinds = (column: string, more: string, fewer: string) =>
  `array(select unnest(p.${column}) union select unnest(${more}::text[]) except select unnest(${fewer}::text[]))`;

const CHOOSE = `insert into notification_preferences as p (user_id, page_off, mail_on, push_off, is_daily)
  values ($1, $2, $4, $6, coalesce($8::boolean, false))
  on conflict (user_id) do update set page_off = ${withKinds('page_off', '$2', '$3')}, mail_on = ${withKinds('mail_on', '$4', '$5')},
    push_off = ${withKinds('push_off', '$6', '$7')}, is_daily = coalesce($8::boolean, p.is_daily)`;

/** What is told from now on goes by these; what they do not name stays as it was chosen. Gives all choices. */
export async function choose(
  db: Queryable,
  userId: number,
  { page, mail, push, isDaily }: NotificationChoices,
): Promise<NotificationPreferences> {
  const pages = [kindsWith(page, false), kindsWith(page, true)];
  const mails = [kindsWith(mail, true), kindsWith(mail, false)];
  const pushes = [kindsWith(push, false), kindsWith(push, true)];
  await db.query(CHOOSE, [userId, ...pages, ...mails, ...pushes, isDaily ?? null]);
  return preferencesOf(db, userId);
}

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
    throw badField('token', 'invalid.mail-token');
  await db.query(
    `update notification_preferences set mail_on = case when $2 = 'daily' then '{}' else array_remove(mail_on, $2) end
     where user_id = $1`,
    [Number(user), scope],
  );
}
