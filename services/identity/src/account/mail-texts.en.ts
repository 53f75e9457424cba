import type { CaseAction, ContentKind, ReportReason } from '@beltway/contracts/identity/moderation';
import type { ToldDecision } from './mail-queue.ts';

/** The text of a mail and the target of its button. */
export interface AccountMailText {
  subject: string;
  paragraphs: string[];
  action?: { text: string; url: string };
}

/** The greeting. null: the email address is not verified, so its owner may not be the person who typed the name. */
const hello = (name: string | null): string => (name === null ? 'Hello,' : `Hello ${name},`);
const IGNORE = 'If this wasn’t you, you don’t need to do anything.';

/** Sent after registration or on request. `link` includes its token. */
const verifyText = (link: string): AccountMailText => ({
  subject: 'Confirm your email address for Beltway',
  paragraphs: [
    hello(null),
    'Someone, hopefully you, created a Beltway account with this email address. Sign in and confirm it, and tickets you bought with it as a guest are saved to your account.',
    'The link works for 7 days. If you didn’t create the account, don’t confirm it. No one gets your tickets unless you do.',
  ],
  action: { text: 'Confirm my email', url: link },
});

const resetText = (name: string | null, link: string): AccountMailText => ({
  subject: 'Reset your Beltway password',
  paragraphs: [
    hello(name),
    'Choose a new password with this link. It works once, within 30 minutes, and signs you out everywhere.',
    IGNORE,
  ],
  action: { text: 'Reset password', url: link },
});

/** Sent to the new email address. */
const changeText = (link: string): AccountMailText => ({
  subject: 'Confirm your new email address for Beltway',
  paragraphs: [
    hello(null),
    'Sign in and confirm this email address to use it for your Beltway account. Until then, your current one stays.',
    'The link works for 24 hours.',
    IGNORE,
  ],
  action: { text: 'Confirm my new email', url: link },
});

/** Sent to an email address that already has an account, after another account tried to change to it. */
const addressInUseText = (name: string | null, signIn: string): AccountMailText => ({
  subject: 'Your email address on Beltway',
  paragraphs: [
    hello(name),
    'Someone tried to use your email address for another account. You already have an account with it, so nothing changed.',
    'If it was you, sign in with this address, or delete this account first.',
  ],
  action: { text: 'Sign in', url: signIn },
});

/**
 * Sent to the current email address. `to` is the new address. It is null when the current address is not verified,
 * because the owner of that address may be a different person.
 */
const changeAskedText = (name: string | null, to: string | null, reset: string): AccountMailText => ({
  subject: 'Someone wants to change your account’s email address',
  paragraphs: [
    hello(name),
    `Someone asked to change the email address of your Beltway account to ${to ?? 'a different one'}. It changes when that address is confirmed.`,
    'If this wasn’t you, someone knows your password. Reset it now to stop the change.',
  ],
  action: { text: 'Reset password', url: reset },
});

/**
 * Sent to both email addresses after the change. `email` is null in the mail to an unverified old address: its owner
 * must not learn the new address.
 */
const emailChangedText = (
  name: string | null,
  { before, email }: { before: string; email: string | null },
  support: string | undefined,
): AccountMailText => ({
  subject: 'Your account’s email address was changed',
  paragraphs: [
    hello(name),
    `The email address of your Beltway account was ${before}. It’s now ${email === null ? 'a different one' : `${email}. Sign in with that one`}.`,
    `If this wasn’t you, reply right away${support === undefined ? '' : ` or email ${support}`}.`,
  ],
});

const passwordChangedText = (name: string | null, reset: string): AccountMailText => ({
  subject: 'Your password was changed',
  paragraphs: [
    hello(name),
    'Your Beltway password was just changed. You’re signed out on all other devices.',
    'If this wasn’t you, reset it now.',
  ],
  action: { text: 'Reset password', url: reset },
});

/** `passkey`: the passkey's name. null: the email address is not verified. */
const passkeyAddedText = (name: string | null, passkey: string | null, reset: string): AccountMailText => ({
  subject: 'A passkey was added to your account',
  paragraphs: [
    hello(name),
    `${passkey === null ? 'A passkey' : `The passkey “${passkey}”`} was added to your Beltway account. Anyone who has it can sign in. See your passkeys on your account page.`,
    'If this wasn’t you, reset your password now. That removes all passkeys and signs you out everywhere.',
  ],
  action: { text: 'Reset password', url: reset },
});

const NOT_YOU = 'If this wasn’t you, reset your password now. That signs you out everywhere.';

const codesOnText = (name: string | null, reset: string): AccountMailText => ({
  subject: 'Codes at sign-in are on',
  paragraphs: [
    hello(name),
    'Signing in to your Beltway account with your password now also asks for a code from your authenticator app. Keep your recovery codes where you can find them without your phone.',
    `${NOT_YOU} Then contact us, because someone else has the codes.`,
  ],
  action: { text: 'Reset password', url: reset },
});

const codesOffText = (name: string | null, isByAdmin: boolean, reset: string): AccountMailText => ({
  subject: 'Codes at sign-in are off',
  paragraphs: [
    hello(name),
    `${isByAdmin ? 'Our team turned off codes at sign-in for you' : 'Codes at sign-in were turned off'}. Your password is now enough to sign in to your Beltway account.`,
    NOT_YOU,
  ],
  action: { text: 'Reset password', url: reset },
});

const recoveryCodeUsedText = (name: string | null, reset: string): AccountMailText => ({
  subject: 'Someone signed in with one of your recovery codes',
  paragraphs: [
    hello(name),
    'Someone, hopefully you, signed in to your Beltway account with your password and a recovery code. That code no longer works. Your account page shows how many are left.',
    NOT_YOU,
  ],
  action: { text: 'Reset password', url: reset },
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
  event: 'event',
  account: 'account',
  ad: 'ad',
};
const REASONS: Record<ReportReason, string> = {
  spam: 'spam or advertising',
  harassment: 'harassment or insults',
  hate: 'hate',
  violence: 'threats or violence',
  sexual: 'sexual content',
  illegal: 'something illegal',
  privacy: 'someone’s private information',
  rights: 'someone else’s rights',
  abuse: 'hate, threats or insults',
  other: 'our rules',
};
const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'America/New_York' });

/** The decision. Has a link to appeal if the decision can be appealed. */
function moderatedText(
  name: string | null,
  { kind, action, reason, until }: ToldDecision,
  appeal: string,
): AccountMailText {
  const thing = `Your ${THINGS[kind]}`;
  const because = `It was reported, and our team reviewed it. Reason: ${REASONS[reason ?? 'other']}.`;
  const isBack = action === 'restore' || action === 'reinstate';
  const said: Record<CaseAction, [subject: string, text: string]> = {
    keep: [`${thing} stays`, 'It stays as it is.'],
    hide: [`${thing} is hidden`, 'No one else can see it.'],
    restore: [`${thing} is shown again`, 'We changed an earlier decision.'],
    remove: [`${thing} was removed`, 'It can’t be restored.'],
    warn: [`A warning about your ${THINGS[kind]}`, 'Please follow our rules, or your account may be suspended.'],
    suspend: [
      'Your account is suspended',
      `${until === null ? 'You can no longer sign in' : `You can’t sign in until ${DAY.format(new Date(until))}`}. Tickets you bought stay valid.`,
    ],
    reinstate: ['Your account is active again', 'You can sign in again.'],
  };
  const [subject, text] = said[action];
  return {
    subject,
    paragraphs: [
      hello(name),
      ...(isBack ? [`${subject}. ${text}`] : [`${subject}. ${text} ${because}`]),
      ...(isBack ? [] : ['If you think this is wrong, ask for a review within 30 days. You can do this once.']),
    ],
    ...(!isBack && { action: { text: 'Ask for a review', url: appeal } }),
  };
}

function appealDecidedText(
  name: string | null,
  { kind, action, outcome }: ToldDecision,
  mine: string,
): AccountMailText {
  const isReversed = outcome === 'reversed';
  const undone: Partial<Record<CaseAction, string>> = {
    hide: `Your ${THINGS[kind]} is shown again.`,
    remove: 'We can’t restore what was removed, but you can post it again.',
    suspend: 'You can sign in again.',
  };
  return {
    subject: isReversed ? 'We changed our decision' : 'We’re keeping our decision',
    paragraphs: [
      hello(name),
      `Our team reviewed the decision about your ${THINGS[kind]} again.`,
      isReversed ? `The decision was wrong. ${undone[action] ?? 'It no longer counts.'}` : 'The decision stays.',
    ],
    action: { text: 'See the decision', url: mine },
  };
}

/** The footer of each mail. It exists only if there is an email address for support. */
const helpText = (support: string): string => `Questions? Email ${support}.`;

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
