import type { Projection } from '@beltway/event-store';
import type { UserEvent } from './events.ts';

/** `users`: who has an account. Its unique email is what decides a race of two registrations: the loser's append fails whole. */
export const projectUsers: Projection<UserEvent> = (sql, group) => {
  for (const { type, data, id, occurredAt } of group) {
    switch (type) {
      case 'UserRegistered':
        sql.query(
          'insert into users (id, email, credential_id, name, role, created_at) values ($1, $2, $3, $4, $5, $6)',
          [Number(id), data.email, data.credentialId, data.name, data.role, occurredAt],
        );
        break;
      case 'RoleChanged':
        sql.query('update users set role = $2, generation = $3, generation_raised_at = $4 where id = $1', [
          Number(id),
          data.role,
          data.generation,
          occurredAt,
        ]);
        break;
    }
  }
};
