import { expect, test } from 'vitest';
import { Secret, TOTP } from 'otpauth';
import { create } from 'qrcode';
import { TurnOffTotpBody } from '@beltway/contracts/identity/totp';
import { newRecoveryCode, newSecret, qrOf, recoveryHash, stepOf, uriOf } from './codes.ts';

/** The secret for the SHA-1 column of RFC 6238, appendix B. The tests use the last six digits of the codes there. */
const RFC = Secret.fromLatin1('12345678901234567890').base32;
const at = (seconds: number) => new Date(seconds * 1_000);

test.each([
  [59, '287082', 1],
  [1_111_111_109, '081804', 37_037_036],
  [1_111_111_111, '050471', 37_037_037],
  [1_234_567_890, '005924', 41_152_263],
  [2_000_000_000, '279037', 66_666_666],
])('at %i the code of RFC 6238 is %s', (seconds, code, step) => {
  expect(stepOf(RFC, code, at(seconds))).toBe(step);
});

test('a clock may be off by at most one step, and the returned step is the step of the code', () => {
  const step = 41_152_263;
  for (const off of [-1, 0, 1]) expect(stepOf(RFC, '005924', at((step + off) * 30 + 3))).toBe(step);
  for (const off of [-2, 2]) expect(stepOf(RFC, '005924', at((step + off) * 30 + 3))).toBeUndefined();
});

test('a code has exactly six digits', () => {
  for (const code of ['', '5924', '0059240', '99005924', 'abcdef'])
    expect(stepOf(RFC, code, at(1_234_567_890))).toBeUndefined();
});

test('a secret has 160 bits, and an app computes the same codes from the QR text', () => {
  const secret = newSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(newSecret()).not.toBe(secret);
  const uri = uriOf(secret, 'ann+gigs@example.test');
  expect(uri).toMatch(/^otpauth:\/\/totp\/Beltway:ann%2Bgigs%40example\.test\?/);
  const query = new URL(uri).searchParams;
  expect(Object.fromEntries(query)).toMatchObject({ issuer: 'Beltway', secret, digits: '6', period: '30' });
  const app = new TOTP({ secret: Secret.fromBase32(query.get('secret')!) });
  expect(stepOf(secret, app.generate({ timestamp: 1e12 }), new Date(1e12))).toBe(Math.floor(1e9 / 30));
});

test('the SVG path draws exactly the dark modules of the QR code', () => {
  const { size, path } = qrOf('otpauth://totp/Beltway:ann?secret=ABC');
  const { size: modules, data } = create('otpauth://totp/Beltway:ann?secret=ABC', {
    errorCorrectionLevel: 'M',
  }).modules;
  const dark = new Set<string>();
  for (const [, x, y, run] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let i = 0; i < Number(run); i++) dark.add(`${Number(x) + i - 4} ${Number(y) - 4}`);
  const wanted = Array.from({ length: modules * modules }, (_, i) => i).filter((i) => data[i]);
  expect(dark).toEqual(new Set(wanted.map((i) => `${i % modules} ${Math.floor(i / modules)}`)));
  expect(size).toBe(modules + 8);
});

test('a recovery code has at least 112 random bits, and its hash differs for each TOTP secret', () => {
  const codes = Array.from({ length: 50 }, newRecoveryCode);
  for (const code of codes) {
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-)*[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(code.replaceAll('-', '').length * Math.log2(32)).toBeGreaterThanOrEqual(112);
    expect(TurnOffTotpBody.parse({ code }).code).toBe(code.replaceAll('-', ''));
  }
  expect(new Set(codes).size).toBe(50);
  const [code] = codes as [string];
  expect(recoveryHash('a', code)).toEqual(recoveryHash('a', code.replaceAll('-', '')));
  expect(recoveryHash('a', code)).not.toEqual(recoveryHash('b', code));
});
