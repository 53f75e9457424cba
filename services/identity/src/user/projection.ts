import type { Projection } from '@beltway/event-store';
import type { RowOf } from '@beltway/kit/columns';
import { insertIf, type Of } from '@beltway/kit/kysely';
import { erasuresOf } from '@beltway/kit/personal-data';
import { sql } from 'kysely';
import { statement } from '../db.ts';
import { OF_ACCOUNT, OF_REFERRALS } from '../person/personal-data.ts';
import { erasedUsers, referrals, users } from '../generated/tables.ts';
import type { UserEvent } from './events.ts';

const REGISTER = users.insert(['id', 'email', 'credentialId', 'name', 'role', 'createdAt']);
const CHANGE_ROLE = users.update('id', ['role', 'generation', 'generationRaisedAt']);

const VERIFY = users.update('id', ['emailVerifiedAt']);
const CHANGE_EMAIL = users.update('id', ['email', 'emailVerifiedAt', 'generation', 'generationRaisedAt']);
const CHANGE_PASSWORD = users.update('id', ['credentialId', 'generation', 'generationRaisedAt']);

const SUSPEND = users.update('id', ['suspendedAt', 'suspendedUntil', 'generation', 'generationRaisedAt']);
const REINSTATE = users.update('id', ['suspendedAt', 'suspendedUntil']);

/**
 * A password reset deletes the account's passkeys, because the reset must lock out all earlier users. Compares
 * generations, so that a rebuild keeps passkeys that were added later.
 */
const DROP_PASSKEYS = statement((db, of: Of<{ userId: number; generation: number }>) =>
  db.deleteFrom('passkeys').where('userId', '=', of('userId')).where('generation', '<', of('generation')),
);

/**
 * A referral is recorded once, at registration, and only if the referrer's account exists. So no account can refer
 * itself, and no two accounts can refer each other.
 */
const REFER = statement((db, of: Of<Pick<RowOf<typeof referrals>, 'referredId' | 'referrerId' | 'joinedAt'>>) =>
  insertIf(
    ...([db, 'referrals', referrals] as const),
    { referredId: of('referredId'), referrerId: of('referrerId'), joinedAt: of('joinedAt') },
    sql<boolean>`not exists (select from erased_users where user_id = ${of('referrerId')}::integer)`,
  ),
);

const LEFT = referrals.update('referredId', ['leftAt']);
const ERASED = erasedUsers.insert(['userId', 'generation', 'erasedAt']);

/**
 * The append that erases an account also deletes the account's password and sessions, and removes email and name from
 * the log itself. It also removes the registration's fingerprint, which could be compared with guesses. Apart from this
 * code, only the erasures of contact emails in the catalog and of chat messages in realtime remove data from stored
 * events (docs/decisions/0003). Idempotent in a rebuild.
 */
const ERASE = [
  // Plain SQL with the account's id as `$1`, because the service's schema does not contain the jobs and events tables.
  'delete from credentials where id = (select credential_id from users where id = $1)',
  `delete from jobs where queue = 'account-mail' and status <> 'done'
     and (data->'userId' = to_jsonb($1::integer) or data->>'email' = (select email from users where id = $1))`,
  `delete from moderation_words w using moderation_texts t where t.case_id = w.case_id and t.author_id = $1`,
  ...erasuresOf([...OF_ACCOUNT, ...OF_REFERRALS]),
  `update events set data = (data::jsonb - 'email' - 'name' - 'before')::json, fingerprint = null
     where stream = 'user-' || $1::integer and type in ('UserRegistered', 'EmailChanged')
       and data::jsonb ?| array['email', 'name', 'before']`,
];

/**
 * Maintains `users` (existing accounts) and `erased_users`. The unique email decides between concurrent registrations:
 * the append of the later registration fails as a whole.
 */
export const projectUsers: Projection<UserEvent> = (write, group) => {
  for (const { type, data, id, occurredAt } of group) {
    switch (type) {
      case 'UserRegistered':
        if (data.email !== undefined && data.name !== undefined)
          write.query(
            REGISTER.text,
            REGISTER.values({ ...data, email: data.email, name: data.name, id: Number(id), createdAt: occurredAt }),
          );
        if (data.referredBy !== undefined) {
          const row = { referredId: Number(id), referrerId: data.referredBy, joinedAt: occurredAt };
          write.query(REFER.text, REFER.values(row));
        }
        break;
      case 'RoleChanged':
        write.query(CHANGE_ROLE.text, CHANGE_ROLE.values({ ...data, id: Number(id), generationRaisedAt: occurredAt }));
        break;
      case 'EmailVerified':
        write.query(VERIFY.text, VERIFY.values({ id: Number(id), emailVerifiedAt: occurredAt }));
        break;
      case 'EmailChanged':
        if (data.email !== undefined)
          write.query(
            CHANGE_EMAIL.text,
            CHANGE_EMAIL.values({
              ...{ id: Number(id), email: data.email, emailVerifiedAt: null },
              ...{ generation: data.generation, generationRaisedAt: occurredAt },
            }),
          );
        break;
      case 'PasswordChanged': {
        const { credentialId, generation } = data;
        const changed = { id: Number(id), credentialId, generation, generationRaisedAt: occurredAt };
        write.query(CHANGE_PASSWORD.text, CHANGE_PASSWORD.values(changed));
        if (data.by === 'reset')
          write.query(DROP_PASSKEYS.text, DROP_PASSKEYS.values({ userId: Number(id), generation }));
        break;
      }
      case 'UserSuspended': {
        const { until: suspendedUntil, generation } = data;
        const suspended = { id: Number(id), suspendedAt: occurredAt, suspendedUntil };
        write.query(SUSPEND.text, SUSPEND.values({ ...suspended, generation, generationRaisedAt: occurredAt }));
        break;
      }
      case 'UserReinstated':
        write.query(REINSTATE.text, REINSTATE.values({ id: Number(id), suspendedAt: null, suspendedUntil: null }));
        break;
      case 'UserErased':
        for (const statement of ERASE) write.query(statement, [Number(id)]);
        write.query(LEFT.text, LEFT.values({ referredId: Number(id), leftAt: occurredAt }));
        write.query(ERASED.text, ERASED.values({ ...data, userId: Number(id), erasedAt: occurredAt }));
        break;
    }
  }
};
