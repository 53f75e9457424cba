import { z } from 'zod';
import { fieldOr, optionalField } from '../common/basics.ts';
import { isReservedName } from '../common/reserved-names.ts';
import { emailText, lineText } from '../common/text.ts';
import { fault } from '../problems/fault.ts';

// Credentials and proofs of identity, in a separate file so that the frontend's first screen does not load them.

/** The roles that a visitor can choose at registration. */
export const ChosenRole = z.enum(['user', 'business']);

/** POST /api/auth/register (services/identity/PRODUCT.md#accounts). Visitors cannot choose the role admin. */
export const RegisterBody = z.strictObject({
  /** Normalized to lower case, here and wherever else an email address is used. */
  email: emailText().toLowerCase(),
  password: z.string().min(6, fault('invalid.password-short')).max(256),
  name: lineText(100, 'invalid.name').refine((name) => !isReservedName(name), fault('invalid.name-reserved')),
  role: fieldOr(ChosenRole, 'user'),
  /**
   * Referral code of the link that the visitor followed. An unknown code is ignored, so that it does not block the
   * registration.
   */
  referralCode: optionalField(z.string(fault('invalid.text'))),
});
export type RegisterBody = z.infer<typeof RegisterBody>;

/** POST /api/auth/login */
export const LoginBody = z.strictObject({
  email: emailText().toLowerCase(),
  password: z.string().min(6, fault('invalid.password-short')).max(256),
});
export type LoginBody = z.infer<typeof LoginBody>;

const email = LoginBody.shape.email;
/** The schema of a current password that proves identity, and of a new password. */
const password = LoginBody.shape.password;

/** The token after the `#` of a mailed link. */
export const LinkToken = z.string().min(1).max(200);

/** POST /api/auth/verify-email: the token of the link that was mailed at registration or to a new email address. */
export const VerifyEmailBody = z.strictObject({ token: LinkToken });
export type VerifyEmailBody = z.infer<typeof VerifyEmailBody>;

/** POST /api/auth/request-password-reset */
export const RequestPasswordResetBody = z.strictObject({ email });
export type RequestPasswordResetBody = z.infer<typeof RequestPasswordResetBody>;

/** POST /api/auth/reset-password */
export const ResetPasswordBody = z.strictObject({ token: LinkToken, password });
export type ResetPasswordBody = z.infer<typeof ResetPasswordBody>;

/** POST /api/auth/change-password: `password` is the current password. */
export const ChangePasswordBody = z.strictObject({ password, newPassword: password });
export type ChangePasswordBody = z.infer<typeof ChangePasswordBody>;

/** Ending sessions or removing a passkey requires the account's password again. */
export const PasswordBody = z.strictObject({ password });
export type PasswordBody = z.infer<typeof PasswordBody>;

/** POST /api/auth/change-email: the new email address, with the account's password. */
export const ChangeEmailBody = z.strictObject({ email, password });
export type ChangeEmailBody = z.infer<typeof ChangeEmailBody>;
