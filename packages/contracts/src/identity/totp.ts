import { z } from 'zod';
import { IdText, Role } from '../common/basics.ts';
import { LoginBody } from './credentials.ts';
import { fault } from '../problems/fault.ts';

/** What an app shows now, or a recovery code; spaces and dashes are as people write them. */
const Code = z
  .string(fault('invalid.code-missing'))
  .max(64)
  .overwrite((code) => code.replace(/[\s-]/g, '').toUpperCase())
  .regex(/^(\d{6}|[0-9A-Z]{24})$/, fault('invalid.code'));

/** GET /api/auth/totp: whether sign-ins to the account ask for a code. */
export const TotpState = z.object({
  isOn: z.boolean(),
  /** Business and admin accounts may turn it on. */
  mayTurnOn: z.boolean(),
  since: z.iso.datetime().nullable(),
  recoveryCodesLeft: z.int(),
});
export type TotpState = z.infer<typeof TotpState>;

/** POST /api/auth/totp/setup: with the account's password. */
export const SetUpTotpBody = z.strictObject({ password: LoginBody.shape.password });
export type SetUpTotpBody = z.infer<typeof SetUpTotpBody>;

/** What an authenticator app reads. It counts once a code of it was shown, within ten minutes. */
export const TotpSetup = z.object({
  /** Base32, to be typed. */
  secret: z.string(),
  /** `otpauth://totp/…`, which the QR code holds. */
  uri: z.string(),
  /** The QR code: a path of an SVG of so many modules a side, its quiet zone included. */
  qr: z.object({ size: z.int(), path: z.string() }),
});
export type TotpSetup = z.infer<typeof TotpSetup>;

/** POST /api/auth/totp: a code of the app that has the newest secret. */
export const TurnOnTotpBody = z.strictObject({ code: Code });
export type TurnOnTotpBody = z.infer<typeof TurnOnTotpBody>;

/** Ten, each good for one sign-in in place of a code. They are told here and never again. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

/** POST /api/auth/totp/off: with a code, or a recovery code. */
export const TurnOffTotpBody = z.strictObject({ code: Code });
export type TurnOffTotpBody = z.infer<typeof TurnOffTotpBody>;

/** POST /api/auth/login/code */
export const LoginCodeBody = z.strictObject({ challenge: z.string().min(1).max(200), code: Code });
export type LoginCodeBody = z.infer<typeof LoginCodeBody>;

/** POST /api/ops/accounts: somebody's account, by its number or its whole address. In the body: paths are logged. */
export const FindAccountBody = z.strictObject({
  q: z
    .string(fault('invalid.account'))
    .trim()
    .toLowerCase()
    .refine((q) => IdText.safeParse(q).success || LoginBody.shape.email.safeParse(q).success, fault('invalid.account')),
});
export type FindAccountBody = z.infer<typeof FindAccountBody>;

/** What an admin sees of somebody's account before codes are taken off it. */
export const FoundAccount = z.object({
  account: z
    .object({
      id: z.int(),
      name: z.string(),
      email: z.string(),
      role: Role,
      createdAt: z.iso.datetime(),
      /** Null: signing in asks for no code. */
      codesSince: z.iso.datetime().nullable(),
      recoveryCodesLeft: z.int(),
    })
    .nullable(),
});
export type FoundAccount = z.infer<typeof FoundAccount>;
