import type { Pool } from 'pg';
import { ago } from '@beltway/kit/kysely';
import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { kysely } from './db.ts';
import { sweepSignups } from './engagement/referral/hints.ts';
import type { Keyring } from './keys/keyring.ts';
import type { Totps } from './totp/totps.ts';

const HOUR_MS = 3_600_000;

/**
 * Deletes expired rows. A day after their end: sessions and their tokens. Also: expired tokens, waits and budgets, and
 * unused password hashes and authenticator secrets. After hours or days: mails about accounts, changes of email
 * addresses, and challenges of passkeys and codes. After 90 days: signup networks and hints. After a year: messages of
 * the contact form.
 */
export async function sweep(pool: Pool): Promise<void> {
  const db = kysely(pool);
  const statements = [
    db.deleteFrom('sessions').where('endsAt', '<', ago('1 day')),
    db.deleteFrom('refreshTokens').where('issuedAt', '<', ago('31 days')),
    db.deleteFrom('loginAttempts').where('triedAt', '<', ago('1 day')),
    db.deleteFrom('loginBudgets').where('spentUntil', '<', ago('1 day')),
    db.deleteFrom('loginPlaces').where('due', '<', ago('1 day')),
    db.deleteFrom('contactMessages').where('createdAt', '<', ago('1 year')),
    db.deleteFrom('passkeyChallenges').where('madeAt', '<', ago('1 hour')),
    db.deleteFrom('totpChallenges').where('madeAt', '<', ago('1 hour')),
    db
      .deleteFrom('totpSecrets')
      .where('createdAt', '<', ago('1 day'))
      .where((eb) =>
        eb.not(
          eb.exists(
            eb.selectFrom('totpFactors').select('secretId').whereRef('totpFactors.secretId', '=', 'totpSecrets.id'),
          ),
        ),
      ),
    db.deleteFrom('emailChanges').where('askedAt', '<', ago('2 days')),
    db
      .deleteFrom('credentials')
      .where('createdAt', '<', ago('1 day'))
      .where((eb) =>
        eb.not(
          eb.exists(eb.selectFrom('users').select('users.id').whereRef('users.credentialId', '=', 'credentials.id')),
        ),
      ),
    db.deleteFrom('jobs').where('status', '=', 'done').where('endedAt', '<', ago('1 day')),
  ];
  for (const statement of statements) await statement.execute();
  await sweepSignups(pool);
}

/**
 * Starts the hourly jobs. Several instances may run them concurrently: each row is deleted only once, and each key is
 * replaced only once.
 */
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
  renewing.wake(); // create the first key at startup, not at the first sign-in
  const sealing = hourly('seal secrets again', () => totp.sealAnew());
  sealing.wake(); // the secret may have been rotated before this start
  return [renewing, sealing, hourly('sweep', () => sweep(pool))];
}
