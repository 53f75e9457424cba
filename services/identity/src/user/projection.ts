import type { Projection } from '@beltway/event-store';
import { users } from './columns.ts';
import type { UserEvent } from './events.ts';

const REGISTER = users.insert(['id', 'email', 'credentialId', 'name', 'role', 'createdAt']);
const CHANGE_ROLE = users.update('id', ['role', 'generation', 'generationRaisedAt']);

/** `users`: who has an account. Its unique email is what decides a race of two registrations: the loser's append fails whole. */
export const projectUsers: Projection<UserEvent> = (sql, group) => {
  for (const { type, data, id, occurredAt } of group) {
    switch (type) {
      case 'UserRegistered':
        sql.query(REGISTER.text, REGISTER.values({ ...data, id: Number(id), createdAt: occurredAt }));
        break;
      case 'RoleChanged':
        sql.query(CHANGE_ROLE.text, CHANGE_ROLE.values({ ...data, id: Number(id), generationRaisedAt: occurredAt }));
        break;
    }
  }
};
