import type { Projection } from '@beltway/event-store';
import { erasuresOf } from '@beltway/kit/personal-data';
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

/** Who resets a password takes the account from whoever was in it. By generation: a rebuild takes none that was added later. */
const DROP_PASSKEYS = 'delete from passkeys where user_id = $1 and generation < $2';

/** Who is referred is so once, as they register, by an account that is there already: nobody refers themselves, and two never each other. */
const REFER = `insert into referrals (referred_id, referrer_id, joined_at)
  select $1::integer, $2::integer, $3::timestamptz where not exists (select from erased_users where user_id = $2::integer)`;

const LEFT = referrals.update('referredId', ['leftAt']);
const ERASED = erasedUsers.insert(['userId', 'generation', 'erasedAt']);

/**
 * What is known of a person leaves with the append that says so: password, sessions, and their email and name from the log itself, where
 * the digest of their registration could still be compared with a guess. The one place where a stored event is changed
 * (docs/decisions/0003). Done again by a rebuild it changes nothing.
 */
const ERASE = [
  'delete from credentials where id = (select credential_id from users where id = $1)',
  `delete from jobs where queue = 'account-mail' and status <> 'done'
     and (data->'userId' = to_jsonb($1::integer) or data->>'email' = (select email from users where id = $1))`,
  `delete from moderation_words w using moderation_texts t where t.case_id = w.case_id and t.author_id = $1`,
  ...erasuresOf([...OF_ACCOUNT, ...OF_REFERRALS]),
  `update events set data = (data::jsonb - 'email' - 'name' - 'before')::json, fingerprint = null
     where stream = 'user-' || $1::integer and type in ('UserRegistered', 'EmailChanged')
       and data::jsonb ?| array['email', 'name', 'before']`,
];

/** `users`: who has an account; `erased_users`: who had one. Its unique email is what decides a race of two registrations: the loser's append fails whole. */
export const projectUsers: Projection<UserEvent> = (sql, group) => {
  for (const { type, data, id, occurredAt } of group) {
    switch (type) {
      case 'UserRegistered':
        if (data.email !== undefined && data.name !== undefined)
          sql.query(
            REGISTER.text,
            REGISTER.values({ ...data, email: data.email, name: data.name, id: Number(id), createdAt: occurredAt }),
          );
        if (data.referredBy !== undefined) sql.query(REFER, [Number(id), data.referredBy, occurredAt]);
        break;
      case 'RoleChanged':
        sql.query(CHANGE_ROLE.text, CHANGE_ROLE.values({ ...data, id: Number(id), generationRaisedAt: occurredAt }));
        break;
      case 'EmailVerified':
        sql.query(VERIFY.text, VERIFY.values({ id: Number(id), emailVerifiedAt: occurredAt }));
        break;
      case 'EmailChanged':
        if (data.email !== undefined)
          sql.query(
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
        sql.query(CHANGE_PASSWORD.text, CHANGE_PASSWORD.values(changed));
        if (data.by === 'reset') sql.query(DROP_PASSKEYS, [Number(id), generation]);
        break;
      }
      case 'UserSuspended': {
        const { until: suspendedUntil, generation } = data;
        const suspended = { id: Number(id), suspendedAt: occurredAt, suspendedUntil };
        sql.query(SUSPEND.text, SUSPEND.values({ ...suspended, generation, generationRaisedAt: occurredAt }));
        break;
      }
      case 'UserReinstated':
        sql.query(REINSTATE.text, REINSTATE.values({ id: Number(id), suspendedAt: null, suspendedUntil: null }));
        break;
      case 'UserErased':
        for (const statement of ERASE) sql.query(statement, [Number(id)]);
        sql.query(LEFT.text, LEFT.values({ referredId: Number(id), leftAt: occurredAt }));
        sql.query(ERASED.text, ERASED.values({ ...data, userId: Number(id), erasedAt: occurredAt }));
        break;
    }
  }
};
