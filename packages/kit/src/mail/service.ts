import { join } from 'node:path';
import type { Express } from 'express';
import type { Pool } from 'pg';
import { z } from 'zod';
import { openMailer, type Mailer } from './mailer.ts';
import { mailboxRoutes, sampleRoutes } from './pages.ts';
import { refusedAddresses } from './refused.ts';
import type { MailSamples, MailService } from './samples.ts';

/** Environment variables of a service that sends mails. */
export const mailVariables = {
  DATA_DIR: z.string().default('.data'),
  /** The sender of mails. */
  MAIL_FROM: z.string().default('Beltway <tickets@beltway.test>'),
  /** The mail server. Not set: mails are written to DATA_DIR/mail and shown at /dev/mail (embedded mode). */
  SMTP_URL: z.url().optional(),
  /** The support email address that mails contain. */
  SUPPORT_EMAIL: z.email().optional(),
};

export interface ServiceMail {
  mailer: Mailer;
  /** Mounts the pages at `/dev/mail` in embedded mode without a mail server. */
  mount: (app: Express) => void;
}

/** Opens a service's mailer and its mail pages. Only one service has the mailbox page with all mails. */
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
  /** Total time limit of one mail, in ms. */
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
