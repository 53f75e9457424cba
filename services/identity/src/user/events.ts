import type { Role } from '@beltway/contracts/common';

export type UserEvent =
  | {
      type: 'UserRegistered';
      /**
       * Points at the credentials row; the log knows no password and no hash. Email and name are taken out of the log when the
       * account is erased (user/projection.ts): missing, it was.
       */
      data: { email?: string; name?: string; role: Role; credentialId: string };
    }
  | {
      type: 'RoleChanged';
      /** Tokens of a generation below this one are refused everywhere. */
      data: { role: Role; generation: number };
    }
  /** The person is gone from here; what they were called stands nowhere any more. */
  | { type: 'UserErased'; data: { generation: number } };

export type UserCommand =
  | { type: 'EraseUser' }
  | { type: 'RegisterUser'; email: string; name: string; role: Role; credentialId: string }
  | { type: 'ChangeRole'; role: Role };
