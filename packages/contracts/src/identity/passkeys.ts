import { z } from 'zod';
import { optionalField } from '../common/basics.ts';
import { LoginBody } from './credentials.ts';
import { lineText } from '../common/text.ts';
import { fault } from '../problems/fault.ts';

/** Bytes as text. */
const base64url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/, fault('invalid.base64url'));
/** `PublicKeyCredential.toJSON()`: what browsers call an id is at most 1023 bytes. */
const credential = {
  id: base64url(1_364),
  rawId: base64url(1_364),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional().catch(undefined),
  // What extensions answered is not read.
  clientExtensionResults: z.unknown().transform(() => ({})),
};

const name = lineText(60, 'invalid.passkey-name');

/** POST /api/auth/passkeys/options: the password is asked for again. */
export const PasskeyOptionsBody = z.strictObject({ password: LoginBody.shape.password });
export type PasskeyOptionsBody = z.infer<typeof PasskeyOptionsBody>;

/** What `PublicKeyCredential.parseCreationOptionsFromJSON` reads (WebAuthn level 3), or `parseRequestOptionsFromJSON`. */
export const PasskeyOptions = z.looseObject({ challenge: z.string() });
export type PasskeyOptions = z.infer<typeof PasskeyOptions>;

/** POST /api/auth/passkeys: what the browser made of the options. */
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

/** POST /api/auth/login/passkey: what the browser made of the options. */
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
  /** The last sign-in with it. */
  usedAt: z.iso.datetime().nullable(),
});
export type Passkey = z.infer<typeof Passkey>;

/** So many may an account have. */
export const MAX_PASSKEYS = 20;

/** GET /api/auth/passkeys: all that the account has, the oldest first. */
export const Passkeys = z.object({ items: z.array(Passkey) });
export type Passkeys = z.infer<typeof Passkeys>;
