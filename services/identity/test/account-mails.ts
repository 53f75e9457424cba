import type { Mail } from '@beltway/kit/mail';
import { eventually } from '@beltway/kit/testing';
import { queueMailsOfEvents } from '../src/account/mail-queue.ts';
import { startAccountMails } from '../src/account/mail-sender.ts';
import { later, type Identity } from './support.ts';

export const SITE = 'http://localhost:3000';

/** Sends account mails with the same parts as main.ts. The first `fails` attempts fail. */
export function accountMails(service: Identity, { fails = 0, clock = () => new Date() } = {}) {
  const sent: Mail[] = [];
  const { pool, log, links, store } = service;
  const send = async (mail: Mail) => {
    if (fails-- > 0) throw new Error('the mail server is away');
    sent.push(mail);
  };
  const worker = startAccountMails({
    ...{ pool, log, links, clock, mailer: { send } },
    ...{ publicUrl: SITE, support: 'team@beltway.test' },
  });
  const follower = queueMailsOfEvents(store, clock, worker.wake);
  later(() => follower.stop());
  later(() => worker.stop());

  /** Resolves when all mails queued so far have been sent or dropped. */
  async function settled(): Promise<Mail[]> {
    await follower.caughtUp();
    await eventually(async () => {
      worker.wake();
      return (await service.rows(`select from jobs where queue = 'account-mail' and status = 'waiting'`)).length === 0;
    });
    return sent;
  }
  return {
    sent,
    worker,
    settled,
    /** The mails to an email address with this text in their subject, oldest first. */
    async to(email: string, subject = ''): Promise<Mail[]> {
      return (await settled()).filter((mail) => mail.to === email && mail.subject.includes(subject));
    },
    /** The token in the newest mail to an email address with this subject. */
    async token(email: string, subject: string): Promise<string> {
      const mail = (await settled()).findLast((one) => one.to === email && one.subject.includes(subject));
      const [, token] = /#([\w.-]+)/.exec(mail?.text ?? '') ?? [];
      if (!token) throw new Error(`no link to ${email} about ${subject}`);
      return token;
    },
  };
}
