import { z } from 'zod';
import { IdText, Role } from '../common/basics.ts';
import { LoginBody } from './credentials.ts';
import { fault } from '../problems/fault.ts';

/** The TOTP code of an authenticator app, or a recovery code; spaces and dashes are allowed. */
const Code = z
  .string(fault('invalid.code-missing'))
  .max(64)
  .overwrite((code) => code.replace(/[\s-]/g, '').toUpperCase())
  .regex(/^(\d{6}|[0-9A-Z]{24})$/, fault('invalid.code'));

/** GET /api/auth/totp: whether signing in requires a TOTP code. */
export const TotpState = z.object({
  isOn: z.boolean(),
  /** True for business and admin accounts, which may turn on TOTP codes. */
  mayTurnOn: z.boolean(),
  since: z.iso.datetime().nullable(),
  recoveryCodesLeft: z.int(),
});
export type TotpState = z.infer<typeof TotpState>;

/** POST /api/auth/totp/setup: requires the account's password. */
export const SetUpTotpBody = z.strictObject({ password: LoginBody.shape.password });
export type SetUpTotpBody = z.infer<typeof SetUpTotpBody>;

/**
 * Data for an authenticator app. The setup takes effect only if the account sends one of the app's codes within ten
 * minutes.
 */
export const TotpSetup = z.object({
  /** In Base32, for typing it into the app. */
  secret: z.string(),
  /** `otpauth://totp/…`, the content of the QR code. */
  uri: z.string(),
  /** The QR code as an SVG path; `size` in modules, including the quiet zone. */
  qr: z.object({ size: z.int(), path: z.string() }),
});
export type TotpSetup = z.infer<typeof TotpSetup>;

/** POST /api/auth/totp: a code that the app generates from the newest secret. */
export const TurnOnTotpBody = z.strictObject({ code: Code });
export type TurnOnTotpBody = z.infer<typeof TurnOnTotpBody>;

/**
 * Ten recovery codes. Each is valid for one sign-in, instead of an app's code. No later response contains the recovery
 * codes.
 */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

/** POST /api/auth/totp/off: requires a code of the app or a recovery code. */
export const TurnOffTotpBody = z.strictObject({ code: Code });
export type TurnOffTotpBody = z.infer<typeof TurnOffTotpBody>;

/** POST /api/auth/login/code */
export const LoginCodeBody = z.strictObject({ challenge: z.string().min(1).max(200), code: Code });
export type LoginCodeBody = z.infer<typeof LoginCodeBody>;

/**
 * POST /api/ops/accounts: finds an account by its id or complete email address. The email address is in the body
 * because paths are logged.
 */
export const FindAccountBody = z.strictObject({
  q: z
    .string(fault('invalid.account'))
    .trim()
    .toLowerCase()
    .refine((q) => IdText.safeParse(q).success || LoginBody.shape.email.safeParse(q).success, fault('invalid.account')),
});
export type FindAccountBody = z.infer<typeof FindAccountBody>;

/** The account that an admin confirms before turning off its codes at sign-in. */
export const FoundAccount = z.object({
  account: z
    .object({
      id: z.int(),
      name: z.string(),
      email: z.string(),
      role: Role,
      createdAt: z.iso.datetime(),
      /** null: signing in requires no code. */
      codesSince: z.iso.datetime().nullable(),
      recoveryCodesLeft: z.int(),
    })
    .nullable(),
});
export type FoundAccount = z.infer<typeof FoundAccount>;
