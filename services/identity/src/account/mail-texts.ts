import { escapeHtml } from '@beltway/kit/html';
import type { Language } from '@beltway/contracts/common/languages';
import type { Mail } from '@beltway/kit/mail';
import { english, type AccountMailText } from './mail-texts.en.ts';
import { spanish } from './mail-texts.es.ts';

/** The mails in each language: the same, of the same facts. */
export const accountMails: Record<Language, typeof english> = { en: english, es: spanish };

const FONT = `-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;
const BUTTON =
  'display:inline-block;background:#b3124f;color:#ffffff;padding:12px 22px;border-radius:999px;text-decoration:none;font-weight:600';

/** Both parts of a mail, which say the same. Nothing that was typed stands in a header but the address, which is checked to be one. */
export function accountMail(
  { subject, paragraphs, action }: AccountMailText,
  { id, to, support, language }: { id: string; to: string; support: string | undefined; language: Language },
): Mail {
  const help = support === undefined ? [] : [accountMails[language].helpText(support)];
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;
  return {
    id,
    to,
    ...(support !== undefined && { replyTo: support }),
    subject,
    text: [...paragraphs, ...(action ? [`${action.text}: ${action.url}`] : []), ...help, 'Beltway', ''].join('\n\n'),
    html: `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="font:16px/1.5 ${FONT};max-width:560px;margin:0 auto;padding:24px 16px">
<h1 style="font-size:24px;line-height:1.25">${escapeHtml(subject)}</h1>
${paragraphs.map(paragraph).join('\n')}
${action ? `<p><a href="${escapeHtml(action.url)}" style="${BUTTON}">${escapeHtml(action.text)}</a></p>` : ''}
${[...help, 'Beltway'].map(paragraph).join('')}</body></html>`,
    attachments: [],
  };
}
