import { z } from 'zod';
import { fieldOr, optionalField } from '../common/basics.ts';
import { emailText, lineText } from '../common/text.ts';
import { fault } from '../problems/fault.ts';

// What people prove themselves with, apart from identity.ts, so that the first page does not load it.

/** The role that people choose for themselves. */
export const ChosenRole = z.enum(['user', 'business']);

/** POST /api/auth/register (services/identity/PRODUCT.md#accounts). Admin cannot be chosen. */
export const RegisterBody = z.strictObject({
  /** One spelling per address: lower case, here and everywhere after. */
  email: emailText().toLowerCase(),
  password: z.string().min(6, fault('invalid.password-short')).max(256),
  name: lineText(100, 'invalid.name'),
  role: fieldOr(ChosenRole, 'user'),
  /** The code of the account that shared its link. An unknown one is ignored: it keeps no one from registering. */
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
/** A password that is shown to prove who one is; and one that is to be. */
const password = LoginBody.shape.password;

/** What a mailed link carries behind its `#`. */
export const LinkToken = z.string().min(1).max(200);

/** POST /api/auth/verify-email: by the link that was mailed at registration, or for a change of the address. */
export const VerifyEmailBody = z.strictObject({ token: LinkToken });
export type VerifyEmailBody = z.infer<typeof VerifyEmailBody>;

/** POST /api/auth/request-password-reset */
export const RequestPasswordResetBody = z.strictObject({ email });
export type RequestPasswordResetBody = z.infer<typeof RequestPasswordResetBody>;

/** POST /api/auth/reset-password */
export const ResetPasswordBody = z.strictObject({ token: LinkToken, password });
export type ResetPasswordBody = z.infer<typeof ResetPasswordBody>;

/** POST /api/auth/change-password: `password` is the present one. */
export const ChangePasswordBody = z.strictObject({ password, newPassword: password });
export type ChangePasswordBody = z.infer<typeof ChangePasswordBody>;

/** POST /api/auth/change-email: the new address, with the account's password. */
export const ChangeEmailBody = z.strictObject({ email, password });
export type ChangeEmailBody = z.infer<typeof ChangeEmailBody>;
