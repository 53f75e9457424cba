import type { Projection } from '@beltway/event-store';
import { erasedUsers, users } from './columns.ts';
import type { UserEvent } from './events.ts';

const REGISTER = users.insert(['id', 'email', 'credentialId', 'name', 'role', 'createdAt']);
const CHANGE_ROLE = users.update('id', ['role', 'generation', 'generationRaisedAt']);

const ERASED = erasedUsers.insert(['userId', 'generation', 'erasedAt']);

/**
 * What is known of a person leaves with the append that says so: password, sessions, and their email and name from the log itself, where
 * the digest of their registration could still be compared with a guess. The one place where a stored event is changed
 * (docs/decisions/0065). Done again by a rebuild it changes nothing.
 */
const ERASE = [
  'delete from credentials where id = (select credential_id from users where id = $1)',
  'delete from sessions where user_id = $1',
  'delete from users where id = $1',
  `update events set data = (data::jsonb - 'email' - 'name')::json, fingerprint = null
     where stream = 'user-' || $1::integer and type = 'UserRegistered' and (data::jsonb ? 'email' or data::jsonb ? 'name')`,
] as const;

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
        break;
      case 'RoleChanged':
        sql.query(CHANGE_ROLE.text, CHANGE_ROLE.values({ ...data, id: Number(id), generationRaisedAt: occurredAt }));
        break;
      case 'UserErased':
        for (const statement of ERASE) sql.query(statement, [Number(id)]);
        sql.query(ERASED.text, ERASED.values({ ...data, userId: Number(id), erasedAt: occurredAt }));
        break;
    }
  }
};
