import type { Pool } from 'pg';
import { asLanguage, type Language } from '@beltway/contracts/common/languages';
import { caseIdOf } from '@beltway/contracts/identity/moderation';
import { startQueue, type Job, type Worker } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';
import type { Mailer } from '@beltway/kit/mail';
import type { InferResult } from 'kysely';
import { kysely } from '../db.ts';
import { isDemo } from '../demo.ts';
import { boundOfAppeal, boundOfChange, boundOfReset, boundOfVerification, pendingChange } from './bound.ts';
import { GOOD_FOR_MS, type AccountLinks, type LinkKind } from './links.ts';
import { accountMails as queue, type QueuedMail, type ToldDecision } from './mail-queue.ts';
import type { AccountMailText } from './mail-texts.en.ts';
import { accountMail, accountMails } from './mail-texts.ts';

export interface AccountMailsDeps {
  pool: Pool;
  log: Logger;
  mailer: Pick<Mailer, 'send'>;
  links: AccountLinks;
  publicUrl: string;
  /** Email address of support, for the footer of each mail. */
  support: string | undefined;
  clock: () => Date;
}

/** A mail's text, in the language of the account that gets it. */
interface Told {
  text: AccountMailText;
  language: Language;
}

const accountsOf = (pool: Pool) =>
  kysely(pool)
    .selectFrom('users as u')
    .leftJoin('accountLanguages as l', 'l.userId', 'u.id')
    .select(['u.id as userId', 'u.name', 'u.email', 'u.credentialId', 'u.emailVerifiedAt', 'l.language']);
type Account = InferResult<ReturnType<typeof accountsOf>>[number];
/** The language of the account's mails. English until the account has used another language. */
const languageOf = ({ language }: Account): Language => asLanguage(language) ?? 'en';

/**
 * Sends mails about accounts. The text is written from the account's state when the mail is sent. After a crash a mail
 * may be sent twice, with the same id.
 */
export function startAccountMails(deps: AccountMailsDeps): Worker {
  const { pool, log, mailer, links, publicUrl, support, clock } = deps;
  const ownerOf = (email: string) => accountsOf(pool).where('u.email', '=', email).executeTakeFirst();
  const page = (path: string) => new URL(path, publicUrl).href;

  /** Returns the mail's text. null: the mail is obsolete or has no recipient. */
  async function textOf({ data, createdAt }: Job<QueuedMail>): Promise<Told | null> {
    const { kind, userId, email, detail, wasVerified = false } = data;
    const account = await (userId === null
      ? ownerOf(email)
      : accountsOf(pool).where('u.id', '=', userId).executeTakeFirst());
    if (!account || isDemo(account.email)) return null;
    // The name was typed at registration. If the email address is not verified, its owner may be a different person, so
    // the mail omits the name.
    const isVerified = account.email === email && account.emailVerifiedAt !== null;
    const name = isVerified ? account.name : null;
    const language = languageOf(account);
    const texts = accountMails[language];
    const say = (text: AccountMailText): Told => ({ text, language });
    /** The token follows the `#`, because browsers never send that part of a URL to a server. */
    const link = (linkKind: LinkKind, path: string, bound: readonly string[]): string =>
      page(`${path}#${links.tokenOf({ kind: linkKind, userId: account.userId, from: createdAt }, bound)}`);
    const isLate = (linkKind: LinkKind) => clock().getTime() - createdAt.getTime() >= GOOD_FOR_MS[linkKind];
    switch (kind) {
      case 'verify-email':
        if (account.emailVerifiedAt || account.email !== email || isLate(kind)) return null;
        return say(texts.verifyText(link(kind, '/verify-email', boundOfVerification(account))));
      case 'reset-password':
        if (isLate(kind)) return null;
        return say(texts.resetText(name, link(kind, '/reset-password', boundOfReset(account))));
      case 'change-email': {
        const change = await pendingChange(pool, account);
        if (!change || change.email !== email || isLate(kind)) return null;
        const owner = await ownerOf(email);
        if (owner) {
          const theirs = languageOf(owner);
          return {
            text: accountMails[theirs].addressInUseText(owner.emailVerifiedAt ? owner.name : null, page('/auth')),
            language: theirs,
          };
        }
        return say(texts.changeText(link(kind, '/verify-email', boundOfChange(change))));
      }
      case 'change-asked':
        if (account.email !== email) return null;
        return say(texts.changeAskedText(name, isVerified ? (detail ?? '') : null, page('/forgot-password')));
      case 'email-changed': {
        if (account.email === email) return say(texts.emailChangedText(name, { before: detail ?? '', email }, support));
        const known = wasVerified ? account.name : null;
        return say(
          texts.emailChangedText(known, { before: email, email: wasVerified ? (detail ?? '') : null }, support),
        );
      }
      case 'moderated':
      case 'appeal-decided': {
        const told = JSON.parse(detail ?? '{}') as ToldDecision;
        const caseId = caseIdOf({ kind: told.kind, id: told.contentId });
        if (kind === 'appeal-decided') return say(texts.appealDecidedText(name, told, page('/moderation/mine')));
        const bound = boundOfAppeal({ caseId, number: told.number });
        // The case id follows the `#` too: the frontend removes everything after it, with the token, from the address
        // bar.
        const appeal = link('appeal', '/moderation/appeal', bound).replace('#', `#${caseId}~`);
        return say(texts.moderatedText(name, told, appeal));
      }
      case 'passkey-added':
        return say(texts.passkeyAddedText(name, isVerified ? (detail ?? 'Passkey') : null, page('/forgot-password')));
      case 'codes-on':
        return say(texts.codesOnText(name, page('/forgot-password')));
      case 'codes-off':
        return say(texts.codesOffText(name, detail === 'admin', page('/forgot-password')));
      case 'recovery-code-used':
        return say(texts.recoveryCodeUsedText(name, page('/forgot-password')));
      case 'password-changed':
        return say(texts.passwordChangedText(name, page('/forgot-password')));
    }
  }

  return startQueue({ pool, log }, queue, async (job) => {
    const told = await textOf(job);
    if (!told) return;
    const id = `account-${job.key.split('/').at(-1)}`;
    await mailer.send(accountMail(told.text, { id, to: job.data.email, support, language: told.language }));
  });
}
