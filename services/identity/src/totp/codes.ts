import { createHash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { create } from 'qrcode';

/** The default of authenticator apps (RFC 6238, section 4). */
const PERIOD_SECONDS = 30;
const DIGITS = 6;
/** How many steps a clock may be off in either direction. Section 5.2 recommends one step, for network delay. */
const DRIFT_STEPS = 1;
/** RFC 4226, section 4, R6: 160 bits are recommended. */
const SECRET_BYTES = 20;
const QR_MARGIN = 4;

export const RECOVERY_CODES = 10;
/** Leaves out letters that look like digits (Crockford). 32 characters encode five bits each. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A new secret in base32, the format that apps use. */
export const newSecret = (): string => Secret.fromHex(randomBytes(SECRET_BYTES).toString('hex')).base32;

const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({ issuer: 'Beltway', label, secret: Secret.fromBase32(secret), digits: DIGITS, period: PERIOD_SECONDS });

/** The content of the QR code: `otpauth://totp/Beltway:<label>?secret=…`. */
export const uriOf = (secret: string, label: string): string => totpOf(secret, label).toString();

/** Returns the time step of a code (RFC 6238, section 4.2: T) if it is the current step or a neighboring one. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token: code, timestamp, window: DRIFT_STEPS });
  return delta === null ? undefined : TOTP.counter({ period: PERIOD_SECONDS, timestamp }) + delta;
}

/** A QR code as the path of an SVG. The path draws one run of dark modules after another. */
export function qrOf(text: string): { size: number; path: string } {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules;
  let path = '';
  for (let row = 0; row < size; row++)
    for (let from = 0, to = 0; from < size; from = to + 1) {
      for (to = from; to < size && data[row * size + to]; to++);
      if (to > from) path += `M${QR_MARGIN + from} ${QR_MARGIN + row}h${to - from}v1h${from - to}z`;
    }
  return { size: size + 2 * QR_MARGIN, path };
}

/**
 * The number of letters in a recovery code, a multiple of four. Above 112 bits a plain hash is enough (OWASP ASVS 5.0,
 * 6.5.2).
 */
const RECOVERY_LETTERS = 24;

/** 120 random bits in six groups. */
export function newRecoveryCode(): string {
  const letters = Array.from(randomBytes(RECOVERY_LETTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return letters.replace(/(.{4})(?=.)/g, '$1-');
}

/**
 * A plain hash. With 2^120 possible codes, a slow hash is not needed; it would also occupy the password queue. `code`
 * may contain dashes.
 */
export const recoveryHash = (secretId: string, code: string): Buffer =>
  createHash('sha256')
    .update(`${secretId}\0${code.replaceAll('-', '')}`)
    .digest();
