import type { Role } from '@beltway/contracts/common/basics';

export type UserEvent =
  | {
      type: 'UserRegistered';
      /**
       * `credentialId` refers to a row of credentials, so the log contains no password and no hash. Erasing the account
       * removes email and name from the log (user/projection.ts), so a missing email means that the account was erased.
       * `referredBy`: the account whose referral link was used.
       */
      data: { email?: string; name?: string; role: Role; credentialId: string; referredBy?: number };
    }
  | {
      type: 'RoleChanged';
      /** Tokens of a lower generation are refused everywhere. An admin who turned codes off keeps the role. */
      data: { role: Role; generation: number };
    }
  /** The account's current email address was verified. */
  | { type: 'EmailVerified'; data: Record<string, never> }
  | {
      type: 'EmailChanged';
      /**
       * Erasing the account removes both email addresses from the log. Earlier tokens contain the old address, so they
       * are rejected.
       */
      data: { email?: string; before?: string; generation: number };
    }
  | {
      type: 'PasswordChanged';
      /** Ends all earlier sessions. `reset`: with a mailed link; `owner`: with the old password. */
      data: { credentialId: string; generation: number; by: 'reset' | 'owner' };
    }
  | {
      type: 'UserSuspended';
      /**
       * Blocks sign-ins until `until`, or permanently if it is null. Earlier tokens become invalid. `caseId`: the
       * moderation case in which this was decided.
       */
      data: { until: string | null; caseId: string; by: number; generation: number };
    }
  /** `by`: the admin. null: the suspension expired. */
  | { type: 'UserReinstated'; data: { caseId: string | null; by: number | null } }
  /** The account is erased, and its name and email address are deleted everywhere. */
  | { type: 'UserErased'; data: { generation: number } };

export type UserCommand =
  | { type: 'SuspendUser'; until: string | null; caseId: string; by: number }
  | { type: 'ReinstateUser'; caseId: string; by: number }
  /** Ends a suspension that expires at `at`. */
  | { type: 'EndSuspension'; at: string }
  | { type: 'EraseUser' }
  | { type: 'RegisterUser'; email: string; name: string; role: Role; credentialId: string; referredBy?: number }
  | { type: 'ChangeRole'; role: Role }
  /** The account's codes at sign-in were turned off. An admin without codes acts as a user. */
  | { type: 'LoseCodes' }
  /** `email`: the email address to which the link was mailed. */
  | { type: 'VerifyEmail'; email: string }
  /** `before` and `credentialId`: the account's values when the change was requested. */
  | { type: 'ChangeEmail'; email: string; before: string; credentialId: string }
  /** `email` and `replaces`: the account's values when the link was made or the old password was checked. */
  | { type: 'ChangePassword'; credentialId: string; replaces: string; email: string; by: 'reset' | 'owner' };
