import type { Language } from '@beltway/contracts/common/languages';
import type { MailedKind } from '@beltway/contracts/realtime/notifications';
import { escapeHtml } from '@beltway/kit/html';
import type { Mail } from '@beltway/kit/mail';
import type { Secrets } from '@beltway/kit/secrets';
import { unsubscribeToken, type MailScope } from './preferences.ts';
import type { BellTexts } from './texts.en.ts';
import { bellTexts } from './texts.ts';

/** One notification in a mail. */
export interface MailedNotification {
  kind: MailedKind;
  title: string;
  text: string;
  path: string;
}

export interface MailContext {
  /** The same mail sent again has the same one. */
  id: string;
  to: string;
  /** Of its reader. */
  language: Language;
  userId: number;
  publicUrl: string;
  support: string | undefined;
  secrets: Secrets;
}

const FONT = `-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;

function subjectOf(say: BellTexts, items: MailedNotification[], scope: MailScope): string {
  if (scope === 'daily') return say.daily;
  return items.length === 1 ? items[0]!.title : say.searchedFor(items.length);
}

/** A mail of one notification, or of those of a day. It can be ended by one click, without signing in (RFC 8058). */
export function notificationMail(items: MailedNotification[], scope: MailScope, context: MailContext): Mail {
  const { id, to, language, userId, publicUrl, support, secrets } = context;
  const say = bellTexts[language];
  const help = support === undefined ? [] : [say.help(support)];
  const token = encodeURIComponent(unsubscribeToken(secrets, userId, scope));
  const end = new URL(`/unsubscribe#${token}`, publicUrl).href;
  const urlOf = ({ path }: MailedNotification) => new URL(path, publicUrl).href;
  const subject = subjectOf(say, items, scope);
  return {
    id,
    to,
    subject,
    headers: {
      'List-Unsubscribe': `<${new URL(`/api/notifications/unsubscribe?token=${token}`, publicUrl).href}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    text: [
      ...items.map((item) => `${item.title}\n${item.text}\n${urlOf(item)}`),
      `${say.stop(scope)}: ${end}`,
      ...help,
      'Beltway',
    ].join('\n\n'),
    html: `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="font:16px/1.5 ${FONT};max-width:560px;margin:0 auto;padding:24px 16px">
${scope === 'daily' || items.length > 1 ? `<h1 style="font-size:24px;line-height:1.25">${escapeHtml(subject)}</h1>` : ''}
${items.map((item) => `<p style="border-bottom:1px solid #c9c3b7;padding-bottom:14px"><a href="${escapeHtml(urlOf(item))}" style="font-weight:600">${escapeHtml(item.title)}</a><br>${escapeHtml(item.text)}</p>`).join('\n')}
<p><a href="${escapeHtml(end)}">${escapeHtml(say.stop(scope))}</a></p>${help.map((line) => `<p>${escapeHtml(line)}</p>`).join('')}<p>Beltway</p></body></html>`,
    attachments: [],
  };
}
