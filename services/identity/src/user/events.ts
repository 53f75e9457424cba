import type { Role } from '@beltway/contracts/common';

export type UserEvent =
  | {
      type: 'UserRegistered';
      /** Points at the credentials row; the log knows no password and no hash. */
      data: { email: string; name: string; role: Role; credentialId: string };
    }
  | {
      type: 'RoleChanged';
      /** Tokens of a generation below this one are refused everywhere. */
      data: { role: Role; generation: number };
    };

export type UserCommand =
  | { type: 'RegisterUser'; email: string; name: string; role: Role; credentialId: string }
  | { type: 'ChangeRole'; role: Role };
