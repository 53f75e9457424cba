import type { Pool } from 'pg';
import type { ContactMessage } from '@beltway/contracts/identity/contact';
import { mailQueue, startQueue, type Worker } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';
import type { Mail, Mailer } from '@beltway/kit/mail';
import { composeMail } from '@beltway/kit/mail/layout';
import { kysely } from '../db.ts';

type Message = Pick<ContactMessage, 'id' | 'email' | 'phone' | 'comments'>;

/** The mail to the team. Its headers contain only one text typed by a user: the email address, which is validated. */
export function contactMail({ id, email, phone, comments }: Message, to: string): Mail {
  const from = [{ name: 'From', value: email }, ...(phone ? [{ name: 'Phone', value: phone }] : [])];
  return composeMail(
    { id: `contact-${id}`, to, replyTo: email },
    { language: 'en', title: 'Message from the contact form', paragraphs: [comments], rows: from },
  );
}

/** Job keys are the ids of the contact form's messages. */
export const contactMails = mailQueue('contact-mail');

/**
 * Mails each message of the contact form to the team. After a crash a message may be mailed twice, with the same id.
 */
export const startContactMail = (pool: Pool, log: Logger, mailer: Pick<Mailer, 'send'>, to: string): Worker =>
  startQueue({ pool, log }, contactMails, async ({ key }) => {
    const message = await kysely(pool)
      .selectFrom('contactMessages')
      .select(['id', 'email', 'phone', 'comments'])
      .where('id', '=', key)
      .executeTakeFirst();
    if (message) await mailer.send(contactMail(message, to));
  });
