import type { Projection } from '@beltway/event-store';
import { totpChallenges, totpFactors, totpSecrets } from '../generated/tables.ts';
import type { TotpEvent } from './events.ts';

/**
 * Plain SQL, because it selects its parameters as a row. A rebuild runs it after the accounts, so erased accounts get
 * no row.
 */
const TURN_ON = `insert into totp_factors (user_id, secret_id, turned_on_at, last_step, recovery_codes_left)
  select $1, $2, $3, $4, $5 where not exists (select from erased_users where user_id = $1)`;
const USE = totpFactors.update('userId', ['lastStep']);
const RECOVER = totpFactors.update('userId', [], ['recoveryCodesLeft']);
const TURN_OFF = [totpFactors.delete(['userId']), totpChallenges.delete(['userId'])];
const DROP_SECRET = totpSecrets.delete(['id']);

/**
 * Maintains `totp_factors`: accounts whose sign-ins require a code. The append that turns codes off also deletes the
 * secret.
 */
export const projectTotp: Projection<TotpEvent> = (sql, group) => {
  for (const { type, data, id, occurredAt } of group) {
    const userId = Number(id);
    switch (type) {
      case 'TotpTurnedOn':
        sql.query(TURN_ON, [userId, data.secretId, occurredAt, data.step, data.recoveryCodes]);
        break;
      case 'TotpCodeUsed':
        sql.query(USE.text, USE.values({ userId, lastStep: data.step }));
        break;
      case 'RecoveryCodeUsed':
        sql.query(RECOVER.text, RECOVER.values({ userId, recoveryCodesLeft: -1 }));
        break;
      case 'TotpTurnedOff':
        for (const { text, values } of TURN_OFF) sql.query(text, values({ userId }));
        sql.query(DROP_SECRET.text, DROP_SECRET.values({ id: data.secretId }));
        break;
    }
  }
};
