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

/** What an account chose. Who chose nothing is told everything on the page and on their devices, and nothing by mail. */
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

/** A column's list of kinds with some more and without others. */
const withKinds = (column: string, [more, fewer]: string[][]) =>
  sql<
    string[]
  >`array(select unnest(${sql.ref(`notificationPreferences.${column}`)}) union select unnest(${more}::text[])
    except select unnest(${fewer}::text[]))`;

/** What is told from now on goes by these; what they do not name stays as it was chosen. Gives all choices. */
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
  await kysely(db)
    .updateTable('notificationPreferences')
    .set(({ fn, ref, val }) => ({
      mailOn: scope === 'daily' ? [] : fn<string[]>('array_remove', [ref('mailOn'), val(scope)]),
    }))
    .where('userId', '=', Number(user))
    .execute();
}
