import type { Pool } from 'pg';
import { prepared } from '@beltway/event-store';
import { escapeHtml } from '@beltway/kit/html';
import type { Logger } from '@beltway/kit/logger';
import type { Mail, Mailer } from '@beltway/kit/mail';
import { startPolling, type Poller } from '@beltway/kit/polling';

interface Waiting {
  id: string;
  email: string;
  phone: string | null;
  comments: string;
  attempts: number;
}

/** As ticketing's mails: pauses of 5 s, doubling, an hour at most; after these attempts a person has to look. */
const MAX_ATTEMPTS = 20;
const IDLE_MS = 2_000;
/** One mail may take so long in all; meanwhile it is nobody else's, and for a while longer. */
export const EXCHANGE_MS = 60_000;
const CLAIM_SECONDS = 120;

/** The mail to the team. Nothing that was typed stands in a header but the address, which is checked to be one. */
export function contactMail({ id, email, phone, comments }: Omit<Waiting, 'attempts'>, to: string): Mail {
  const lines = [`From: ${email}`, ...(phone ? [`Phone: ${phone}`] : [])];
  const html = (text: string) => escapeHtml(text).replaceAll('\n', '<br>');
  return {
    id: `contact-${id}`,
    to,
    replyTo: email,
    subject: 'A message by the contact form',
    text: [...lines, '', comments, ''].join('\n'),
    html: `<!doctype html><html lang="en"><body style="font:16px/1.5 sans-serif"><p>${lines.map(html).join('<br>')}</p><p>${html(comments)}</p></body></html>`,
    attachments: [],
  };
}

/**
 * Tells the team of messages, one after the other: each is claimed for a time, mailed, and marked. No transaction is open
 * while it goes out. A crash in between mails it again after the claim, with the same id.
 */
export function startContactMail(pool: Pool, log: Logger, mailer: Mailer, to: string): Poller {
  return startPolling(log, 'mail contact messages', IDLE_MS, async () => {
    const { rows } = await pool.query<Waiting>(
      prepared(
        `update contact_messages set mail_attempts = mail_attempts + 1,
           mail_next_at = clock_timestamp() + make_interval(secs => $1)
         where id = (select id from contact_messages where mail_status = 'waiting' and mail_next_at <= now()
           order by mail_next_at limit 1 for update skip locked)
         returning id, email, phone, comments, mail_attempts as attempts`,
        [CLAIM_SECONDS],
      ),
    );
    const [message] = rows;
    if (!message) return false;
    const { id, attempts } = message;
    try {
      await mailer.send(contactMail(message, to));
    } catch (err) {
      const isLast = attempts >= MAX_ATTEMPTS;
      log[isLast ? 'error' : 'warn']({ err, id }, `a contact message could not be mailed${isLast ? '' : ' yet'}`);
      await pool.query(
        `update contact_messages set mail_status = $2, mail_next_at = now() + make_interval(secs => $3)
         where id = $1 and mail_status = 'waiting'`,
        [id, isLast ? 'failed' : 'waiting', Math.min(5 * 2 ** (attempts - 1), 3_600)],
      );
      return true;
    }
    await pool.query(`update contact_messages set mail_status = 'sent' where id = $1`, [id]);
    return true;
  });
}
