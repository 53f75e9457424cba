import type { Language } from '@beltway/contracts/common/languages';
import type { Mail } from '@beltway/kit/mail';
import { composeMail } from '@beltway/kit/mail/layout';
import { english, type AccountMailText } from './mail-texts.en.ts';
import { spanish } from './mail-texts.es.ts';

/** The mails in each language. All languages have the same kinds of mails with the same parameters. */
export const accountMails: Record<Language, typeof english> = { en: english, es: spanish };

/** Composes the mail. Its headers contain only one text typed by a user: the email address, which is validated. */
export const accountMail = (
  { subject, paragraphs, action }: AccountMailText,
  { id, to, support, language }: { id: string; to: string; support: string | undefined; language: Language },
): Mail =>
  composeMail(
    { id, to, ...(support !== undefined && { replyTo: support }) },
    {
      ...{ language, title: subject, preview: paragraphs[1] ?? '', paragraphs, action },
      notes: support === undefined ? [] : [accountMails[language].helpText(support)],
    },
  );
