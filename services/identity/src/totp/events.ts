/**
 * Streams `totp-<user id>`: whether sign-ins to an account ask for a code, and which codes were used. `secretId` points at a row; the log
 * knows no secret and no code. A step is a half minute since 1970 (RFC 6238, section 4.2).
 */
export type TotpEvent =
  | { type: 'TotpTurnedOn'; data: { secretId: string; step: number; recoveryCodes: number } }
  /** A sign-in by the code of this step. */
  | { type: 'TotpCodeUsed'; data: { secretId: string; step: number } }
  /** A sign-in by the recovery code of this number. */
  | { type: 'RecoveryCodeUsed'; data: { secretId: string; number: number } }
  /** `by`: what was shown for it; `admin`: by the account of `adminId`, for somebody who has lost app and recovery codes. */
  | {
      type: 'TotpTurnedOff';
      data: { secretId: string; by: 'code' | 'recovery-code' | 'admin'; adminId: number | null };
    };

/** What was shown: a code of a step, or the recovery code of a number. */
export type Proof = { secretId: string } & ({ step: number } | { number: number });

export type TotpCommand =
  | { type: 'TurnOn'; secretId: string; step: number; recoveryCodes: number }
  | { type: 'UseCode'; proof: Proof }
  | { type: 'TurnOff'; proof: Proof }
  | { type: 'TakeOff'; adminId: number };
