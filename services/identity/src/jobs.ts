import type { Pool } from 'pg';
import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { sweepSignups } from './engagement/referral/hints.ts';
import type { Keyring } from './keys/keyring.ts';
import type { Totps } from './totp/totps.ts';

const HOUR_MS = 3_600_000;

/**
 * Drops what nobody can use any more: sessions a day past their end (with their tokens), tokens that expired, waits and budgets
 * that ended, password hashes and secrets of apps that count for nobody, mails about accounts, changes of address and challenges of
 * passkeys and codes after hours or days, networks of registrations with what followed from them after 90 days, and messages by the
 * contact form after a year.
 */
export async function sweep(pool: Pool): Promise<void> {
  await pool.query(`delete from sessions where ends_at < now() - interval '1 day'`);
  await pool.query(`delete from refresh_tokens where issued_at < now() - interval '31 days'`);
  await pool.query(`delete from login_attempts where tried_at < now() - interval '1 day'`);
  await pool.query(`delete from login_budgets where spent_until < now() - interval '1 day'`);
  await pool.query(`delete from contact_messages where created_at < now() - interval '1 year'`);
  await pool.query(`delete from login_places where due < now() - interval '1 day'`);
  await pool.query(`delete from jobs where status = 'done' and ended_at < now() - interval '1 day'`);
  await pool.query(`delete from passkey_challenges where made_at < now() - interval '1 hour'`);
  await pool.query(`delete from totp_challenges where made_at < now() - interval '1 hour'`);
  await pool.query(
    `delete from totp_secrets s where created_at < now() - interval '1 day'
     and not exists (select from totp_factors f where f.secret_id = s.id)`,
  );
  await sweepSignups(pool);
  await pool.query(`delete from email_changes where asked_at < now() - interval '2 days'`);
  await pool.query(
    `delete from credentials c where created_at < now() - interval '1 day'
     and not exists (select from users u where u.credential_id = c.id)`,
  );
}

/** Each instance may run them: a row is deleted once, and a key is replaced once. */
export function startJobs(
  log: Logger,
  { pool, keys, totp }: { pool: Pool; keys: Pick<Keyring, 'rotateWhenOld'>; totp: Pick<Totps, 'sealAnew'> },
): Poller[] {
  const hourly = (name: string, work: () => Promise<unknown>) =>
    startPolling(log, name, HOUR_MS, async () => {
      await work();
      return false;
    });
  const renewing = hourly('renew signing keys', () => keys.rotateWhenOld());
  renewing.wake(); // the first key is made during the start, not by the first sign-in
  const sealing = hourly('seal secrets again', () => totp.sealAnew());
  sealing.wake(); // the secret may have been rotated before this start
  return [renewing, sealing, hourly('sweep', () => sweep(pool))];
}
