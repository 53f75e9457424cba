import { LANGUAGES, type Language } from '@beltway/contracts/common/languages';
import type { Mail } from './mailer.ts';

/** Services that send mails, each with samples at `/dev/mail/kinds/<service>`. */
export const MAIL_SERVICES = ['identity', 'payments', 'realtime', 'ticketing'] as const;
export type MailService = (typeof MAIL_SERVICES)[number];

/** Every kind of mail of a service with sample data, for a reader of this language. */
export type MailSamples = Record<string, (language: Language) => Mail | Promise<Mail>>;

/** Ids of the samples at `/dev/mail`: `tickets.es`. */
export const sampleIds = (samples: MailSamples): string[] =>
  Object.keys(samples).flatMap((kind) => LANGUAGES.map((language) => `${kind}.${language}`));

export async function sampleOf(samples: MailSamples, id: string): Promise<Mail | undefined> {
  const [kind = '', language] = id.split('.');
  const known = LANGUAGES.find((one) => one === language);
  return known && Object.hasOwn(samples, kind) ? samples[kind]!(known) : undefined;
}

/** Names and email addresses in samples. Their domains do not exist (RFC 2606). */
export const SAMPLE = {
  name: 'Maya',
  to: 'maya@beltway.test',
  support: 'help@beltway.test',
  publicUrl: 'https://beltway.test',
} as const;
