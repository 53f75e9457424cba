/**
 * Streams `totp-<user id>`: whether sign-ins require a code, and which codes were used. `secretId` refers to a row, so
 * the log contains no secret and no code. A step is a period of 30 seconds, counted from 1970 (RFC 6238, section 4.2).
 */
export type TotpEvent =
  | { type: 'TotpTurnedOn'; data: { secretId: string; step: number; recoveryCodes: number } }
  /** A sign-in with a code of the app. `step`: the code's time step. */
  | { type: 'TotpCodeUsed'; data: { secretId: string; step: number } }
  /** A sign-in with a recovery code. `number`: which recovery code. */
  | { type: 'RecoveryCodeUsed'; data: { secretId: string; number: number } }
  /**
   * `by`: the proof that the owner gave. `admin`: the admin `adminId` turned codes off for an owner who lost both the
   * app and the recovery codes.
   */
  | {
      type: 'TotpTurnedOff';
      data: { secretId: string; by: 'code' | 'recovery-code' | 'admin'; adminId: number | null };
    };

/** The given proof: an app code with its time step, or a recovery code with its number. */
export type Proof = { secretId: string } & ({ step: number } | { number: number });

export type TotpCommand =
  | { type: 'TurnOn'; secretId: string; step: number; recoveryCodes: number }
  | { type: 'UseCode'; proof: Proof }
  | { type: 'TurnOff'; proof: Proof }
  | { type: 'TakeOff'; adminId: number };
