import { Rejected, type Decider } from '@beltway/event-store';
import type { Role } from '@beltway/contracts/common';
import type { UserCommand, UserEvent } from './events.ts';

/** `role` is undefined until the user has registered. */
interface UserState {
  role: Role | undefined;
  generation: number;
  erased: boolean;
}

const initial = (): UserState => ({ role: undefined, generation: 0, erased: false });

function decide(command: UserCommand, user: UserState): UserEvent[] {
  switch (command.type) {
    case 'RegisterUser': {
      const { type, ...data } = command;
      if (user.role || user.erased) throw new Rejected('already-registered', 'This account exists already.');
      return [{ type: 'UserRegistered', data }];
    }
    case 'ChangeRole':
      if (!user.role) throw new Rejected('no-such-user', 'This account does not exist.');
      if (user.role === command.role) return [];
      return [{ type: 'RoleChanged', data: { role: command.role, generation: user.generation + 1 } }];
    case 'EraseUser':
      if (user.erased) return [];
      if (!user.role) throw new Rejected('no-such-user', 'This account does not exist.');
      return [{ type: 'UserErased', data: { generation: user.generation + 1 } }];
  }
}

function evolve(user: UserState, { type, data }: UserEvent): UserState {
  switch (type) {
    case 'UserRegistered':
      user.role = data.role;
      return user;
    case 'RoleChanged':
      user.role = data.role;
      user.generation = data.generation;
      return user;
    case 'UserErased':
      user.role = undefined;
      user.generation = data.generation;
      user.erased = true;
      return user;
  }
}

export const user: Decider<UserState, UserCommand, UserEvent> = { initial, decide, evolve };
