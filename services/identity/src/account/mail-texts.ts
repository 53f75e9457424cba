import { escapeHtml } from '@beltway/kit/html';
import type { Mail } from '@beltway/kit/mail';

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
