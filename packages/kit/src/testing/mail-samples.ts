import { describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '@beltway/contracts/common/languages';
import type { Mail } from '../mail/mailer.ts';
import { sampleIds, sampleOf, type MailSamples } from '../mail/samples.ts';

/** Maximum size of the HTML, because Gmail truncates it beyond 102 kB. */
const MAX_HTML = 102_000;
/** Matches traces of a missing value in a text. */
const BROKEN = /undefined|null|NaN|\[object|Invalid Date/;

/** Checks that the HTML contains every line of the plain text. */
export function expectSameWords(mail: Pick<Mail, 'html' | 'text'>): void {
  const read = wordsOf(mail).replace(/\s+/g, ' ');
  for (const line of mail.text.split('\n').map((text) => text.trim()))
    // In the HTML, there is no colon between the cells of a table.
    if (line !== 'BELTWAY') expect(read.includes(line) || read.includes(line.replace(': ', ' ')), line).toBe(true);
}

/**
 * Tests that every kind of mail of a service can be rendered in each language. `english`: mails to the team, which are
 * only in English.
 */
export const checkSamples = (service: string, samples: MailSamples, english: readonly string[] = []): void => {
  describe(`mails of ${service}`, () => {
    test.each(sampleIds(samples))('%s has a subject, HTML, plain text and its pictures', async (id) => {
      const mail = (await sampleOf(samples, id))!;
      const language: Language = english.includes(id.split('.')[0]!)
        ? 'en'
        : LANGUAGES.find((one) => id.endsWith(one))!;
      expect(mail.html).toContain(`<html lang="${language}">`);
      expect([mail.subject, mail.text, mail.html].join('\n')).not.toMatch(BROKEN);
      expect(mail.text).toContain(mail.subject);
      expect(mail.html.length).toBeLessThan(MAX_HTML);
      const cids = [...mail.html.matchAll(/cid:([^"]+)/g)].map(([, cid]) => cid);
      expect(cids.toSorted()).toEqual(mail.attachments.flatMap(({ cid }) => cid ?? []).toSorted());
      expectSameWords(mail);
    });
    test.each(Object.keys(samples).filter((kind) => !english.includes(kind)))('%s is translated', async (kind) => {
      const texts = await Promise.all(LANGUAGES.map(async (language) => (await samples[kind]!(language)).text));
      expect(new Set(texts).size).toBe(LANGUAGES.length);
    });
  });
};

/** The visible text of the HTML, without images. */
export const wordsOf = ({ html }: Pick<Mail, 'html'>): string =>
  html
    .replace(/<(style|title)>.*?<\/\1>/gs, '')
    .replace(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/g, '$2: $1 ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
