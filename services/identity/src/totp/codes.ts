import { createHash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { create } from 'qrcode';

/** RFC 6238, section 4: what authenticator apps take for granted. */
const PERIOD_SECONDS = 30;
const DIGITS = 6;
/** Steps that a clock may be off, either way (section 5.2 advises one, for the time of the network). */
const DRIFT_STEPS = 1;
/** RFC 4226, section 4, R6: 160 bits are recommended. */
const SECRET_BYTES = 20;
const QR_MARGIN = 4;

export const RECOVERY_CODES = 10;
/** Without letters that look like digits (Crockford). 32 of them: five bits each. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A secret in base32, as apps read it. */
export const newSecret = (): string => Secret.fromHex(randomBytes(SECRET_BYTES).toString('hex')).base32;

const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({ issuer: 'Beltway', label, secret: Secret.fromBase32(secret), digits: DIGITS, period: PERIOD_SECONDS });

/** What an app reads from the QR code: `otpauth://totp/Beltway:<label>?secret=…`. */
export const uriOf = (secret: string, label: string): string => totpOf(secret, label).toString();

/** The step of the code (RFC 6238, section 4.2: T), if it is one of now or of a neighboring step. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token: code, timestamp, window: DRIFT_STEPS });
  return delta === null ? undefined : TOTP.counter({ period: PERIOD_SECONDS, timestamp }) + delta;
}

/** A QR code as the path of an SVG: one run of dark modules after the other. */
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

/** Above 112 bits a plain hash is enough (OWASP ASVS 5.0, 6.5.2). A multiple of four. */
const RECOVERY_LETTERS = 24;

/** 120 random bits in six groups. */
export function newRecoveryCode(): string {
  const letters = Array.from(randomBytes(RECOVERY_LETTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return letters.replace(/(.{4})(?=.)/g, '$1-');
}

/** 2^120 guesses need no slow hash, which would also cost a turn in the queue of passwords. `code`: with or without its dashes. */
export const recoveryHash = (secretId: string, code: string): Buffer =>
  createHash('sha256')
    .update(`${secretId}\0${code.replaceAll('-', '')}`)
    .digest();
