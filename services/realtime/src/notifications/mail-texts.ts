import type { Language } from '@beltway/contracts/common/languages';
import type { MailedKind } from '@beltway/contracts/realtime/notifications';
import type { Mail } from '@beltway/kit/mail';
import { composeMail } from '@beltway/kit/mail/layout';
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
  /** The mail's id. A repeated mail has the same id. */
  id: string;
  to: string;
  /** The reader's language. */
  language: Language;
  userId: number;
  publicUrl: string;
  support: string | undefined;
  secrets: Secrets;
}

function subjectOf(say: BellTexts, items: MailedNotification[], scope: MailScope): string {
  if (scope === 'daily') return say.daily;
  return items.length === 1 ? items[0]!.title : say.searchedFor(items.length);
}

/**
 * A mail with one notification, or with all notifications of an hour or a day. One click unsubscribes, without signing
 * in (RFC 8058).
 */
export function notificationMail(items: MailedNotification[], scope: MailScope, context: MailContext): Mail {
  const { id, to, language, userId, publicUrl, support, secrets } = context;
  const say = bellTexts[language];
  const urlOf = (path: string) => new URL(path, publicUrl).href;
  const token = encodeURIComponent(unsubscribeToken(secrets, userId, scope));
  const [only, ...others] = items;
  const isOne = scope !== 'daily' && only !== undefined && others.length === 0;
  return composeMail(
    { id, to, unsubscribeUrl: urlOf(`/api/notifications/unsubscribe?token=${token}`) },
    {
      language,
      title: subjectOf(say, items, scope),
      preview: items.map(({ text, title }) => (isOne ? text : title)).join(' · '),
      ...(isOne
        ? { paragraphs: [only.text], action: { text: say.open, url: urlOf(only.path) } }
        : { items: items.map(({ title, text, path }) => ({ title, text, url: urlOf(path) })) }),
      notes: [
        { text: say.stop(scope), url: urlOf(`/unsubscribe#${token}`) },
        ...(support === undefined ? [] : [say.help(support)]),
      ],
    },
  );
}
