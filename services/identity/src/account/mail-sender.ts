import type { Pool } from 'pg';
import { asLanguage, type Language } from '@beltway/contracts/languages';
import { caseIdOf } from '@beltway/contracts/moderation';
import { prepared } from '@beltway/event-store';
import { backoff } from '@beltway/kit/backoff';
import type { Logger } from '@beltway/kit/logger';
import type { Mail, Mailer } from '@beltway/kit/mail';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { isDemo } from '../demo.ts';
import {
  boundOfAppeal,
  boundOfChange,
  boundOfReset,
  boundOfVerification,
  pendingChange,
  type AccountFacts,
} from './bound.ts';
import { GOOD_FOR_MS, type AccountLinks, type LinkKind } from './links.ts';
import type { AccountMailKind, ToldDecision } from './mail-queue.ts';
import type { AccountMailText } from './mail-texts.en.ts';
import { accountMail, accountMails } from './mail-texts.ts';

const IDLE_MS = 2_000;
const MAX_ATTEMPTS = 20;
const pauseAfter = backoff(5_000, 3_600_000);
/** Longer than one mail may take (`EXCHANGE_MS` of the contact form's): meanwhile it is nobody else's. */
const CLAIM_SECONDS = 120;

export interface AccountMailsDeps {
  pool: Pool;
  log: Logger;
  mailer: Pick<Mailer, 'send'>;
  links: AccountLinks;
  publicUrl: string;
  /** Whom readers can ask. */
  support: string | undefined;
  clock: () => Date;
}

/** A mail's words, and their language: that of the account that reads them. */
interface Told {
  text: AccountMailText;
  language: Language;
}

interface Claimed {
  id: string;
  kind: AccountMailKind;
  userId: number | null;
  email: string;
  detail: string | null;
  attempts: number;
  createdAt: Date;
}

const ACCOUNT = `select id as "userId", name, email, credential_id as "credentialId", email_verified_at is not null as "isVerified",
    (select language from account_languages l where l.user_id = users.id) as language from users`;
type Account = AccountFacts & { name: string; isVerified: boolean; language: string | null };
/** English, until somebody comes in another one. */
const languageOf = ({ language }: Account): Language => asLanguage(language) ?? 'en';

/**
 * Sends mails about accounts, one after the other: each is claimed for a time, made of what the account is at that moment, mailed, and
 * marked; no transaction is open while it goes out. A crash in between mails it again after the claim, with the same id. Addresses leave
 * the row with the mail.
 */
export function startAccountMails(deps: AccountMailsDeps): Poller {
  const { pool, log, mailer, links, publicUrl, support, clock } = deps;
  const accountOf = async (where: string, value: unknown): Promise<Account | undefined> =>
    (await pool.query<Account>(`${ACCOUNT} where ${where} = $1`, [value])).rows[0];
  const page = (path: string) => new URL(path, publicUrl).href;

  /** Null: there is nothing to be said any more, or nobody to whom. */
  async function textOf(mail: Claimed): Promise<Told | null> {
    const { kind, userId, email, detail, createdAt } = mail;
    const account = userId === null ? await accountOf('email', email) : await accountOf('id', userId);
    if (!account || isDemo(account.email)) return null;
    const { name } = account;
    const language = languageOf(account);
    const texts = accountMails[language];
    const say = (text: AccountMailText): Told => ({ text, language });
    /** Behind the `#`, which no browser sends to a server. */
    const link = (linkKind: LinkKind, path: string, bound: readonly string[]): string =>
      page(`${path}#${links.tokenOf({ kind: linkKind, userId: account.userId, from: createdAt }, bound)}`);
    const isLate = (linkKind: LinkKind) => clock().getTime() - createdAt.getTime() >= GOOD_FOR_MS[linkKind];
    switch (kind) {
      case 'verify-email':
        if (account.isVerified || account.email !== email || isLate(kind)) return null;
        return say(texts.verifyText(name, link(kind, '/verify-email', boundOfVerification(account))));
      case 'reset-password':
        if (isLate(kind)) return null;
        return say(texts.resetText(name, link(kind, '/reset-password', boundOfReset(account))));
      case 'change-email': {
        const change = await pendingChange(pool, account);
        if (!change || change.email !== email || isLate(kind)) return null;
        const owner = await accountOf('email', email);
        if (owner) {
          const theirs = languageOf(owner);
          return { text: accountMails[theirs].addressInUseText(owner.name, page('/auth')), language: theirs };
        }
        return say(texts.changeText(name, link(kind, '/verify-email', boundOfChange(change))));
      }
      case 'change-asked':
        if (account.email !== email) return null;
        return say(texts.changeAskedText(name, detail ?? '', page('/forgot-password')));
      case 'email-changed': {
        const isNow = account.email === email;
        const addresses = isNow ? { before: detail ?? '', email } : { before: email, email: detail ?? '' };
        return say(texts.emailChangedText(name, addresses, support));
      }
      case 'moderated':
      case 'appeal-decided': {
        const told = JSON.parse(detail ?? '{}') as ToldDecision;
        const caseId = caseIdOf({ kind: told.kind, id: told.contentId });
        if (kind === 'appeal-decided') return say(texts.appealDecidedText(name, told, page('/moderation/mine')));
        const bound = boundOfAppeal({ caseId, number: told.number });
        // The page learns of the case behind the `#` too, where it leaves the address with the token.
        const appeal = link('appeal', '/moderation/appeal', bound).replace('#', `#${caseId}~`);
        return say(texts.moderatedText(name, told, appeal));
      }
      case 'passkey-added':
        return say(texts.passkeyAddedText(name, detail ?? 'Passkey', page('/forgot-password')));
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

  async function compose(mail: Claimed): Promise<Mail | null> {
    const told = await textOf(mail);
    const { language = 'en' } = told ?? {};
    return told && accountMail(told.text, { id: `account-${mail.id}`, to: mail.email, support, language });
  }

  return startPolling(log, 'mail accounts', IDLE_MS, async () => {
    const { rows } = await pool.query<Claimed>(
      prepared(
        `update account_mails set attempts = attempts + 1, next_at = clock_timestamp() + make_interval(secs => $1)
         where id = (select id from account_mails where status = 'waiting' and next_at <= now()
           order by next_at limit 1 for update skip locked)
         returning id, kind, user_id as "userId", email, detail, attempts, created_at as "createdAt"`,
        [CLAIM_SECONDS],
      ),
    );
    const [claimed] = rows;
    if (!claimed) return false;
    const { id, kind, attempts } = claimed;
    try {
      const mail = await compose(claimed);
      if (mail) await mailer.send(mail);
      await pool.query(
        `update account_mails set status = $2, email = null, detail = null where id = $1 and status = 'waiting'`,
        [id, mail ? 'sent' : 'dropped'],
      );
    } catch (err) {
      const isLast = attempts >= MAX_ATTEMPTS;
      log[isLast ? 'error' : 'warn']({ err, id, kind }, `a mail about an account was not sent${isLast ? '' : ' yet'}`);
      await pool.query(
        `update account_mails set status = $2, next_at = now() + make_interval(secs => $3),
           email = case when $2 = 'failed' then null else email end, detail = case when $2 = 'failed' then null else detail end
         where id = $1 and status = 'waiting'`,
        [id, isLast ? 'failed' : 'waiting', pauseAfter(attempts) / 1_000],
      );
    }
    return true;
  });
}
