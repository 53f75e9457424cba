import type { CaseAction, ContentKind, ReportReason } from '@beltway/contracts/identity/moderation';
import type { ToldDecision } from './mail-queue.ts';

/** What a mail says, and where its button leads. */
export interface AccountMailText {
  subject: string;
  paragraphs: string[];
  action?: { text: string; url: string };
}

const IGNORE = 'If this was not you, you need not do anything.';

/** After registration, or when it is asked for again. `link`: with its token. */
const verifyText = (name: string, link: string): AccountMailText => ({
  subject: 'Confirm your email address for Beltway',
  paragraphs: [
    `Hello ${name},`,
    'somebody, we hope you, has opened an account on Beltway with this address. Confirm it while you are signed in, and tickets that you bought with it as a guest are saved to your account.',
    'The link is good for 7 days. If you did not open the account, do not confirm it: nobody gets your tickets without that.',
  ],
  action: { text: 'Confirm my address', url: link },
});

const resetText = (name: string, link: string): AccountMailText => ({
  subject: 'Choose another password for Beltway',
  paragraphs: [
    `Hello ${name},`,
    'by this link you choose another password. It is good for 30 minutes and works once. You are then signed out everywhere.',
    IGNORE,
  ],
  action: { text: 'Choose a password', url: link },
});

/** To the new address. */
const changeText = (name: string, link: string): AccountMailText => ({
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
const addressInUseText = (name: string, signIn: string): AccountMailText => ({
  subject: 'Your email address on Beltway',
  paragraphs: [
    `Hello ${name},`,
    'somebody wanted to give your address to another account. You have an account with it already, so nothing has changed.',
    'If it was you, sign in with this address, or delete this account first.',
  ],
  action: { text: 'Sign in', url: signIn },
});

/** To the address that still counts. */
const changeAskedText = (name: string, to: string, reset: string): AccountMailText => ({
  subject: 'Somebody wants to change the email address of your account',
  paragraphs: [
    `Hello ${name},`,
    `the address of your account on Beltway is to become ${to}. It changes when that address is confirmed.`,
    'If this was not you, somebody knows your password: choose another one now, and nothing comes of it.',
  ],
  action: { text: 'Choose another password', url: reset },
});

/** To both addresses, once it has changed. */
const emailChangedText = (
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

const passwordChangedText = (name: string, reset: string): AccountMailText => ({
  subject: 'Your password has changed',
  paragraphs: [
    `Hello ${name},`,
    'the password of your account on Beltway is another one since a moment ago, and all other devices are signed out.',
    'If this was not you, choose another one now.',
  ],
  action: { text: 'Choose another password', url: reset },
});

const passkeyAddedText = (name: string, passkey: string, reset: string): AccountMailText => ({
  subject: 'A passkey was added to your account',
  paragraphs: [
    `Hello ${name},`,
    `the passkey “${passkey}” was added to your account on Beltway: whoever has it can sign in. Passkeys are listed on your account page.`,
    'If this was not you, choose another password now. That takes away all passkeys and signs you out everywhere.',
  ],
  action: { text: 'Choose another password', url: reset },
});

const NOT_YOU = 'If this was not you, choose another password now. That signs you out everywhere.';

const codesOnText = (name: string, reset: string): AccountMailText => ({
  subject: 'Signing in to your account asks for a code now',
  paragraphs: [
    `Hello ${name},`,
    'from now on signing in to your account on Beltway by password asks for a code of your app as well. Keep the recovery codes that you were shown where you find them without your phone.',
    `${NOT_YOU} Then write to us: the codes are somebody else’s.`,
  ],
  action: { text: 'Choose another password', url: reset },
});

const codesOffText = (name: string, isByAdmin: boolean, reset: string): AccountMailText => ({
  subject: 'Signing in to your account asks for no code any more',
  paragraphs: [
    `Hello ${name},`,
    `${isByAdmin ? 'somebody of Beltway has turned off codes at sign-in for you' : 'codes at sign-in were turned off'}. Your password alone signs you in to your account on Beltway.`,
    NOT_YOU,
  ],
  action: { text: 'Choose another password', url: reset },
});

const recoveryCodeUsedText = (name: string, reset: string): AccountMailText => ({
  subject: 'Somebody signed in with one of your recovery codes',
  paragraphs: [
    `Hello ${name},`,
    'somebody, we hope you, signed in to your account on Beltway with your password and a recovery code, which is good no more. Your account page says how many are left.',
    NOT_YOU,
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
function moderatedText(name: string, { kind, action, reason, until }: ToldDecision, appeal: string): AccountMailText {
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

function appealDecidedText(name: string, { kind, action, outcome }: ToldDecision, mine: string): AccountMailText {
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

/** What stands below each mail where there is somebody to ask. */
const helpText = (support: string): string => `Questions? Write to ${support}.`;

export const english = {
  verifyText,
  resetText,
  changeText,
  addressInUseText,
  changeAskedText,
  emailChangedText,
  passkeyAddedText,
  codesOnText,
  codesOffText,
  recoveryCodeUsedText,
  passwordChangedText,
  moderatedText,
  appealDecidedText,
  helpText,
};
