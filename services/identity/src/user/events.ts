import type { Role } from '@beltway/contracts/common/basics';

export type UserEvent =
  | {
      type: 'UserRegistered';
      /**
       * Points at the credentials row; the log knows no password and no hash. Email and name are taken out of the log when the
       * account is erased (user/projection.ts): missing, it was. `referredBy`: the account whose link they came by.
       */
      data: { email?: string; name?: string; role: Role; credentialId: string; referredBy?: number };
    }
  | {
      type: 'RoleChanged';
      /** Tokens of a generation below this one are refused everywhere. */
      data: { role: Role; generation: number };
    }
  /** The address of the account at this moment was shown to be theirs. */
  | { type: 'EmailVerified'; data: Record<string, never> }
  | {
      type: 'EmailChanged';
      /** Both are taken out of the log when the account is erased. Tokens of before name the old address, and are refused. */
      data: { email?: string; before?: string; generation: number };
    }
  | {
      type: 'PasswordChanged';
      /** Ends all sessions of before. `reset`: by a mailed link; `owner`: by who knew the old one. */
      data: { credentialId: string; generation: number; by: 'reset' | 'owner' };
    }
  | {
      type: 'UserSuspended';
      /** Until then, or for good (null), nobody signs in. Tokens of before end. `caseId`: what an admin decided it for. */
      data: { until: string | null; caseId: string; by: number; generation: number };
    }
  | { type: 'UserReinstated'; data: { caseId: string; by: number } }
  /** The person is gone from here; what they were called stands nowhere any more. */
  | { type: 'UserErased'; data: { generation: number } };

export type UserCommand =
  | { type: 'SuspendUser'; until: string | null; caseId: string; by: number }
  | { type: 'ReinstateUser'; caseId: string; by: number }
  | { type: 'EraseUser' }
  | { type: 'RegisterUser'; email: string; name: string; role: Role; credentialId: string; referredBy?: number }
  | { type: 'ChangeRole'; role: Role }
  /** `email`: the address that the link was mailed to. */
  | { type: 'VerifyEmail'; email: string }
  /** `before` and `credentialId`: what the account had when the change was asked for. */
  | { type: 'ChangeEmail'; email: string; before: string; credentialId: string }
  /** `email` and `replaces`: what the account had when the link was made, or the old password was checked. */
  | { type: 'ChangePassword'; credentialId: string; replaces: string; email: string; by: 'reset' | 'owner' };
