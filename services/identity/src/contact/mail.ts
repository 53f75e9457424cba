import type { Pool } from 'pg';
import type { ContactMessage } from '@beltway/contracts/identity/contact';
import { mailQueue, startQueue, type Worker } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';
import type { Mail, Mailer } from '@beltway/kit/mail';
import { composeMail } from '@beltway/kit/mail/layout';
import { kysely } from '../db.ts';

type Message = Pick<ContactMessage, 'id' | 'email' | 'phone' | 'comments'>;

/** The mail to the team. Nothing that was typed is in a header but the address, which is checked to be one. */
export function contactMail({ id, email, phone, comments }: Message, to: string): Mail {
  const from = [{ name: 'From', value: email }, ...(phone ? [{ name: 'Phone', value: phone }] : [])];
  return composeMail(
    { id: `contact-${id}`, to, replyTo: email },
    { language: 'en', title: 'A message by the contact form', paragraphs: [comments], rows: from },
  );
}

/** Keys are the ids of messages. */
export const contactMails = mailQueue('contact-mail');

/** Mails each message of the contact form to the team. A crash can mail it twice, with the same id. */
export const startContactMail = (pool: Pool, log: Logger, mailer: Pick<Mailer, 'send'>, to: string): Worker =>
  startQueue({ pool, log }, contactMails, async ({ key }) => {
    const message = await kysely(pool)
      .selectFrom('contactMessages')
      .select(['id', 'email', 'phone', 'comments'])
      .where('id', '=', key)
      .executeTakeFirst();
    if (message) await mailer.send(contactMail(message, to));
  });
