import { z } from 'zod';
import { optionalField } from '../common/basics.ts';
import { LoginBody } from './credentials.ts';
import { lineText } from '../common/text.ts';
import { fault } from '../problems/fault.ts';

/** Binary data as text. */
const base64url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/, fault('invalid.base64url'));
/** `PublicKeyCredential.toJSON()`. An id has at most 1023 bytes. */
const credential = {
  id: base64url(1_364),
  rawId: base64url(1_364),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional().catch(undefined),
  // Results of extensions are ignored.
  clientExtensionResults: z.unknown().transform(() => ({})),
};

const name = lineText(60, 'invalid.passkey-name');

/** POST /api/auth/passkeys/options: the caller must enter the password again. */
export const PasskeyOptionsBody = z.strictObject({ password: LoginBody.shape.password });
export type PasskeyOptionsBody = z.infer<typeof PasskeyOptionsBody>;

/** Input of `PublicKeyCredential.parseCreationOptionsFromJSON` (WebAuthn level 3) or `parseRequestOptionsFromJSON`. */
export const PasskeyOptions = z.looseObject({ challenge: z.string() });
export type PasskeyOptions = z.infer<typeof PasskeyOptions>;

/** POST /api/auth/passkeys: the credential that the browser created from the options. */
export const AddPasskeyBody = z.strictObject({
  name,
  credential: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url(4_000),
      attestationObject: base64url(10_000),
      transports: optionalField(z.array(z.string().max(20)).max(8)),
    }),
  }),
});
export type AddPasskeyBody = z.infer<typeof AddPasskeyBody>;

/** POST /api/auth/login/passkey: the browser's assertion for the options. */
export const PasskeyLoginBody = z.strictObject({
  credential: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url(4_000),
      authenticatorData: base64url(4_000),
      signature: base64url(4_000),
      userHandle: base64url(100),
    }),
  }),
});
export type PasskeyLoginBody = z.infer<typeof PasskeyLoginBody>;

/** PATCH /api/auth/passkeys/:id */
export const RenamePasskeyBody = z.strictObject({ name });
export type RenamePasskeyBody = z.infer<typeof RenamePasskeyBody>;

export const Passkey = z.object({
  id: z.uuid(),
  name: z.string(),
  addedAt: z.iso.datetime(),
  /** Time of the last sign-in with this passkey. */
  usedAt: z.iso.datetime().nullable(),
});
export type Passkey = z.infer<typeof Passkey>;

/** Maximum passkeys per account. */
export const MAX_PASSKEYS = 20;

/** GET /api/auth/passkeys: all passkeys of the account, oldest first. */
export const Passkeys = z.object({ items: z.array(Passkey) });
export type Passkeys = z.infer<typeof Passkeys>;
