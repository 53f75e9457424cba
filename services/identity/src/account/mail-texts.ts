import { escapeHtml } from '@beltway/kit/html';
import type { CaseAction, ContentKind, ReportReason } from '@beltway/contracts/moderation';
import type { Mail } from '@beltway/kit/mail';
import type { ToldDecision } from './mail-queue.ts';

/** What a mail says, and where its button leads. */
export interface AccountMailText {
  subject: string;
  paragraphs: string[];
  action?: { text: string; url: string };
}

const IGNORE = 'If this was not you, you need not do anything.';

/** After registration, or when it is asked for again. `link`: with its token. */
export const verifyText = (name: string, link: string): AccountMailText => ({
  subject: 'Confirm your email address for Beltway',
  paragraphs: [
    `Hello ${name},`,
    'somebody, we hope you, has opened an account on Beltway with this address. Confirm it while you are signed in, and tickets that you bought with it as a guest are saved to your account.',
    'The link is good for 7 days. If you did not open the account, do not confirm it: nobody gets your tickets without that.',
  ],
  action: { text: 'Confirm my address', url: link },
});

export const resetText = (name: string, link: string): AccountMailText => ({
  subject: 'Choose another password for Beltway',
  paragraphs: [
    `Hello ${name},`,
    'by this link you choose another password. It is good for 30 minutes and works once. You are then signed out everywhere.',
    IGNORE,
  ],
  action: { text: 'Choose a password', url: link },
});

/** To the new address. */
export const changeText = (name: string, link: string): AccountMailText => ({
  subject: 'Confirm your new email address for Beltway',
  paragraphs: [
    `Hello ${name},`,
    'this is to be the address of your account on Beltway. Confirm it while you are signed in; until then the old one stays.',
    'The link is good for 24 hours.',
    IGNORE,
  ],
  action: { text: 'Confirm my new address', url: link },
});

/** To an address that has an account already, and was to become another account's. */
export const addressInUseText = (name: string, signIn: string): AccountMailText => ({
  subject: 'Your email address on Beltway',
  paragraphs: [
    `Hello ${name},`,
    'somebody wanted to give your address to another account. You have an account with it already, so nothing has changed.',
    'If it was you, sign in with this address, or delete this account first.',
  ],
  action: { text: 'Sign in', url: signIn },
});

/** To the address that still counts. */
export const changeAskedText = (name: string, to: string, reset: string): AccountMailText => ({
  subject: 'Somebody wants to change the email address of your account',
  paragraphs: [
    `Hello ${name},`,
    `the address of your account on Beltway is to become ${to}. It changes when that address is confirmed.`,
    'If this was not you, somebody knows your password: choose another one now, and nothing comes of it.',
  ],
  action: { text: 'Choose another password', url: reset },
});

/** To both addresses, once it has changed. */
export const emailChangedText = (
  name: string,
  { before, email }: { before: string; email: string },
  support: string | undefined,
): AccountMailText => ({
  subject: 'The email address of your account has changed',
  paragraphs: [
    `Hello ${name},`,
    `your account on Beltway had the address ${before}. From now on it is ${email}: sign in with it.`,
    `If this was not you, answer at once${support === undefined ? '' : `, or write to ${support}`}.`,
  ],
});

export const passwordChangedText = (name: string, reset: string): AccountMailText => ({
  subject: 'Your password has changed',
  paragraphs: [
    `Hello ${name},`,
    'the password of your account on Beltway is another one since a moment ago, and all other devices are signed out.',
    'If this was not you, choose another one now.',
  ],
  action: { text: 'Choose another password', url: reset },
});

export const passkeyAddedText = (name: string, passkey: string, reset: string): AccountMailText => ({
  subject: 'A passkey was added to your account',
  paragraphs: [
    `Hello ${name},`,
    `the passkey “${passkey}” was added to your account on Beltway: whoever has it can sign in. Passkeys are listed on your account page.`,
    'If this was not you, choose another password now. That takes away all passkeys and signs you out everywhere.',
  ],
  action: { text: 'Choose another password', url: reset },
});

const THINGS: Record<ContentKind, string> = {
  comment: 'comment',
  photo: 'photo',
  video: 'video',
  message: 'message in a chat',
  post: 'post',
  'post-comment': 'comment on a post',
  question: 'question',
  answer: 'answer',
};
const REASONS: Record<ReportReason, string> = {
  spam: 'spam or advertising',
  harassment: 'harassment or insults',
  hate: 'hate',
  violence: 'threats or violence',
  sexual: 'sexual content',
  illegal: 'something illegal',
  privacy: 'private things of somebody',
  rights: 'the rights of somebody else',
  abuse: 'hate, threats or insults',
  other: 'our rules',
};
const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'America/New_York' });

/** What was decided, and a link to appeal where it can be. */
export function moderatedText(
  name: string,
  { kind, action, reason, until }: ToldDecision,
  appeal: string,
): AccountMailText {
  const thing = `Your ${THINGS[kind]}`;
  const because = `It was reported, and somebody of Beltway looked at it. The reason: ${REASONS[reason ?? 'other']}.`;
  const isBack = action === 'restore' || action === 'reinstate';
  const said: Record<CaseAction, [subject: string, text: string]> = {
    keep: [`${thing} stays`, 'It stays as it is.'],
    hide: [`${thing} is hidden`, 'Nobody else sees it.'],
    restore: [`${thing} is shown again`, 'A decision of before was changed.'],
    remove: [`${thing} was removed`, 'It is gone.'],
    warn: [
      `A warning about your ${THINGS[kind]}`,
      'Please keep to our rules: your account may be suspended otherwise.',
    ],
    suspend: [
      'Your account is suspended',
      `You cannot sign in ${until === null ? 'any more' : `until ${DAY.format(new Date(until))}`}. Tickets you bought stay valid.`,
    ],
    reinstate: ['Your account is open again', 'You can sign in again.'],
  };
  const [subject, text] = said[action];
  return {
    subject,
    paragraphs: [
      `Hello ${name},`,
      ...(isBack ? [`${subject}. ${text}`] : [`${subject}. ${text} ${because}`]),
      ...(isBack ? [] : ['If you think this is wrong, ask for another look within 30 days. It is good once.']),
    ],
    ...(!isBack && { action: { text: 'Ask for another look', url: appeal } }),
  };
}

export function appealDecidedText(
  name: string,
  { kind, action, outcome }: ToldDecision,
  mine: string,
): AccountMailText {
  const isReversed = outcome === 'reversed';
  const undone: Partial<Record<CaseAction, string>> = {
    hide: `Your ${THINGS[kind]} is shown again.`,
    remove: 'What was removed cannot be brought back; you may post it again.',
    suspend: 'You can sign in again.',
  };
  return {
    subject: isReversed ? 'We changed our decision' : 'We stay with our decision',
    paragraphs: [
      `Hello ${name},`,
      `somebody of Beltway looked again at what was decided about your ${THINGS[kind]}.`,
      isReversed ? `The decision was wrong. ${undone[action] ?? 'It counts no more.'}` : 'The decision stands.',
    ],
    action: { text: 'See what was decided', url: mine },
  };
}

const FONT = `-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;
const BUTTON =
  'display:inline-block;background:#b3124f;color:#ffffff;padding:12px 22px;border-radius:999px;text-decoration:none;font-weight:600';

/** Both parts of a mail, which say the same. Nothing that was typed stands in a header but the address, which is checked to be one. */
export function accountMail(
  { subject, paragraphs, action }: AccountMailText,
  { id, to, support }: { id: string; to: string; support: string | undefined },
): Mail {
  const help = support === undefined ? [] : [`Questions? Write to ${support}.`];
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;
  return {
    id,
    to,
    ...(support !== undefined && { replyTo: support }),
    subject,
    text: [...paragraphs, ...(action ? [`${action.text}: ${action.url}`] : []), ...help, 'Beltway', ''].join('\n\n'),
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="font:16px/1.5 ${FONT};max-width:560px;margin:0 auto;padding:24px 16px">
<h1 style="font-size:24px;line-height:1.25">${escapeHtml(subject)}</h1>
${paragraphs.map(paragraph).join('\n')}
${action ? `<p><a href="${escapeHtml(action.url)}" style="${BUTTON}">${escapeHtml(action.text)}</a></p>` : ''}
${[...help, 'Beltway'].map(paragraph).join('')}</body></html>`,
    attachments: [],
  };
}
