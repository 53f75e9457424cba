import { SAMPLE, type MailSamples } from '@beltway/kit/mail/samples';
import type { AccountMailKind, ToldDecision } from './account/mail-queue.ts';
import type { AccountMailText, english } from './account/mail-texts.en.ts';
import { accountMail, accountMails } from './account/mail-texts.ts';
import { contactMail } from './contact/mail.ts';

const { name, to, support } = SAMPLE;
const url = (path: string) => new URL(path, SAMPLE.publicUrl).href;
const reset = url('/forgot-password');
const DECISION: ToldDecision = {
  ...{ kind: 'comment', contentId: '1', number: 1, action: 'hide', reason: 'spam', until: null, outcome: null },
};

/** The texts for each kind of mail. */
const texts: Record<AccountMailKind | 'address-in-use', (texts: typeof english) => AccountMailText> = {
  'verify-email': ({ verifyText }) => verifyText(url('/verify-email#token')),
  'reset-password': ({ resetText }) => resetText(name, url('/reset-password#token')),
  'change-email': ({ changeText }) => changeText(url('/verify-email#token')),
  'address-in-use': ({ addressInUseText }) => addressInUseText(name, url('/auth')),
  'change-asked': ({ changeAskedText }) => changeAskedText(name, 'maya.new@beltway.test', reset),
  'email-changed': ({ emailChangedText }) =>
    emailChangedText(name, { before: to, email: 'maya.new@beltway.test' }, support),
  'password-changed': ({ passwordChangedText }) => passwordChangedText(name, reset),
  'passkey-added': ({ passkeyAddedText }) => passkeyAddedText(name, 'Maya’s phone', reset),
  'codes-on': ({ codesOnText }) => codesOnText(name, reset),
  'codes-off': ({ codesOffText }) => codesOffText(name, false, reset),
  'recovery-code-used': ({ recoveryCodeUsedText }) => recoveryCodeUsedText(name, reset),
  moderated: ({ moderatedText }) => moderatedText(name, DECISION, url('/moderation/appeal#token')),
  'appeal-decided': ({ appealDecidedText }) =>
    appealDecidedText(name, { ...DECISION, outcome: 'reversed' }, url('/moderation/mine')),
};

const ofAccounts = Object.entries(texts).map(([kind, text]): [string, MailSamples[string]] => [
  kind,
  (language) => accountMail(text(accountMails[language]), { id: kind, to, support, language }),
]);

export const samples: MailSamples = {
  ...Object.fromEntries(ofAccounts),
  // The contact form's mail to the team, in English.
  contact: () =>
    contactMail(
      { id: '1', email: to, phone: '202-555-0123', comments: 'Where do I find my tickets?\nI bought two.' },
      support,
    ),
};
