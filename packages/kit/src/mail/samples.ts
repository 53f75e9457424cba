import { LANGUAGES, type Language } from '@beltway/contracts/common/languages';
import type { Mail } from './mailer.ts';

/** The services that send mails, each with samples at `/dev/mail/kinds/<service>`. */
export const MAIL_SERVICES = ['identity', 'payments', 'realtime', 'ticketing'] as const;
export type MailService = (typeof MAIL_SERVICES)[number];

/** Every kind of mail of a service, composed of sample data as if for a reader with this language. */
export type MailSamples = Record<string, (language: Language) => Mail | Promise<Mail>>;

/** A sample's address at `/dev/mail`: `tickets.es`. */
export const sampleIds = (samples: MailSamples): string[] =>
  Object.keys(samples).flatMap((kind) => LANGUAGES.map((language) => `${kind}.${language}`));

export async function sampleOf(samples: MailSamples, id: string): Promise<Mail | undefined> {
  const [kind = '', language] = id.split('.');
  const known = LANGUAGES.find((one) => one === language);
  return known && Object.hasOwn(samples, kind) ? samples[kind]!(known) : undefined;
}

/** The names and addresses of samples; nothing at these domains exists (RFC 2606). */
export const SAMPLE = {
  name: 'Maya',
  to: 'maya@beltway.test',
  support: 'help@beltway.test',
  publicUrl: 'https://beltway.test',
} as const;
