import { join } from 'node:path';
import type { Express } from 'express';
import type { Pool } from 'pg';
import { z } from 'zod';
import { openMailer, type Mailer } from './mailer.ts';
import { mailboxRoutes, sampleRoutes } from './pages.ts';
import { refusedAddresses } from './refused.ts';
import type { MailSamples, MailService } from './samples.ts';

/** The variables of a service that sends mails. */
export const mailVariables = {
  DATA_DIR: z.string().default('.data'),
  /** The sender. */
  MAIL_FROM: z.string().default('Beltway <tickets@beltway.test>'),
  /** Not set: mails are written to DATA_DIR/mail and read at /dev/mail (embedded mode). */
  SMTP_URL: z.url().optional(),
  /** The address for questions, in mails. */
  SUPPORT_EMAIL: z.email().optional(),
};

export interface ServiceMail {
  mailer: Mailer;
  /** Adds the pages at `/dev/mail`, in embedded mode without a mail server. */
  mount: (app: Express) => void;
}

/** How a service sends mails. One service has the mailbox, in which all mails are. */
export function serviceMail({
  service,
  config: { BELTWAY_MODE: mode, DATA_DIR: dataDir, SMTP_URL: smtpUrl, MAIL_FROM: from },
  pool,
  exchangeMs,
  samples,
  hasMailbox = false,
}: {
  service: MailService;
  config: { BELTWAY_MODE: string; DATA_DIR: string; SMTP_URL?: string | undefined; MAIL_FROM: string };
  pool: Pool;
  /** How long one mail may take in all. */
  exchangeMs?: number;
  samples: () => Promise<MailSamples>;
  hasMailbox?: boolean;
}): ServiceMail {
  const folder = join(dataDir, 'mail');
  const refused = refusedAddresses(pool);
  return {
    mailer: openMailer({ smtpUrl, folder, from, refused, ...(exchangeMs !== undefined && { exchangeMs }) }),
    mount: (app) => {
      if (mode !== 'embedded' || smtpUrl) return;
      app.use(sampleRoutes(service, samples));
      if (hasMailbox) app.use(mailboxRoutes(folder));
    },
  };
}
