import type { Language } from '@beltway/contracts/common/languages';
import type { Mail } from '@beltway/kit/mail';
import { composeMail } from '@beltway/kit/mail/layout';
import { english, type AccountMailText } from './mail-texts.en.ts';
import { spanish } from './mail-texts.es.ts';

/** The mails in each language: the same, of the same facts. */
export const accountMails: Record<Language, typeof english> = { en: english, es: spanish };

/** Nothing that was typed is in a header but the address, which is checked to be one. */
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
