import type { Decider } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import type { Role } from '@beltway/contracts/common/basics';
import type { UserCommand, UserEvent } from './events.ts';

/** `role` is undefined until the user has registered. */
export interface UserState {
  role: Role | undefined;
  generation: number;
  erased: boolean;
  email: string | undefined;
  isVerified: boolean;
  credentialId: string | undefined;
  isSuspended: boolean;
  /** The end of the suspension. null: permanent. */
  suspendedUntil: string | null;
}

const initial = (): UserState => ({
  role: undefined,
  generation: 0,
  erased: false,
  email: undefined,
  isVerified: false,
  credentialId: undefined,
  isSuspended: false,
  suspendedUntil: null,
});

/** The account has changed since the link was mailed: the link was already used, or a different change came first. */
const outdated = () => new Rejected('link-invalid.short');

function decide(command: UserCommand, user: UserState): UserEvent[] {
  switch (command.type) {
    case 'RegisterUser': {
      const { type, ...data } = command;
      if (user.role || user.erased) throw new Rejected('already-registered');
      return [{ type: 'UserRegistered', data }];
    }
    case 'ChangeRole':
      if (!user.role) throw new Rejected('no-such-user');
      if (user.role === command.role) return [];
      return [{ type: 'RoleChanged', data: { role: command.role, generation: user.generation + 1 } }];
    case 'LoseCodes':
      if (user.role !== 'admin') return [];
      return [{ type: 'RoleChanged', data: { role: user.role, generation: user.generation + 1 } }];
    case 'VerifyEmail':
      if (user.email === undefined || user.email !== command.email) throw outdated();
      return user.isVerified ? [] : [{ type: 'EmailVerified', data: {} }];
    case 'ChangeEmail': {
      const { email, before, credentialId } = command;
      if (user.email === undefined || user.email !== before || user.credentialId !== credentialId) throw outdated();
      if (email === before) return [];
      return [
        { type: 'EmailChanged', data: { email, before, generation: user.generation + 1 } },
        { type: 'EmailVerified', data: {} },
      ];
    }
    case 'ChangePassword': {
      const { credentialId, replaces, email, by } = command;
      if (user.email === undefined || user.email !== email || user.credentialId !== replaces) throw outdated();
      const changed: UserEvent = {
        type: 'PasswordChanged',
        data: { credentialId, generation: user.generation + 1, by },
      };
      // The owner got the link at this email address, so the address is verified.
      return by === 'reset' && !user.isVerified ? [changed, { type: 'EmailVerified', data: {} }] : [changed];
    }
    case 'SuspendUser': {
      const { type: _type, ...data } = command;
      if (!user.role) throw new Rejected('no-such-user');
      if (user.role === 'admin') throw new Rejected('admin-account');
      return [{ type: 'UserSuspended', data: { ...data, generation: user.generation + 1 } }];
    }
    case 'ReinstateUser':
      if (!user.isSuspended) return [];
      return [{ type: 'UserReinstated', data: { caseId: command.caseId, by: command.by } }];
    case 'EndSuspension':
      if (!user.isSuspended || user.suspendedUntil === null || user.suspendedUntil > command.at) return [];
      return [{ type: 'UserReinstated', data: { caseId: null, by: null } }];
    case 'EraseUser':
      if (user.erased) return [];
      if (!user.role) throw new Rejected('no-such-user');
      return [{ type: 'UserErased', data: { generation: user.generation + 1 } }];
  }
}

function evolve(user: UserState, { type, data }: UserEvent): UserState {
  switch (type) {
    case 'UserRegistered':
      user.role = data.role;
      user.email = data.email;
      user.credentialId = data.credentialId;
      return user;
    case 'EmailVerified':
      user.isVerified = true;
      return user;
    case 'EmailChanged':
      user.email = data.email;
      user.isVerified = false;
      user.generation = data.generation;
      return user;
    case 'PasswordChanged':
      user.credentialId = data.credentialId;
      user.generation = data.generation;
      return user;
    case 'RoleChanged':
      user.role = data.role;
      user.generation = data.generation;
      return user;
    case 'UserSuspended':
      user.isSuspended = true;
      user.suspendedUntil = data.until;
      user.generation = data.generation;
      return user;
    case 'UserReinstated':
      user.isSuspended = false;
      return user;
    case 'UserErased':
      user.role = undefined;
      user.email = undefined;
      user.credentialId = undefined;
      user.generation = data.generation;
      user.erased = true;
      return user;
  }
}

export const user: Decider<UserState, UserCommand, UserEvent> = { initial, decide, evolve };
