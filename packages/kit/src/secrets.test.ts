import { expect, test } from 'vitest';
import { acceptedBy, keyed, keyedText, resealed, sameText, seal, unseal } from './secrets.ts';

const SECRET = 'a-secret-of-the-environment-0123456789';

test('a sealed text can be read only with the same secret and purpose', () => {
  const sealed = seal(SECRET, 'keys', 'private');
  expect(unseal(SECRET, 'keys', sealed)).toBe('private');
  expect(() => unseal('another-secret', 'keys', sealed)).toThrow();
  expect(() => unseal(SECRET, 'links', sealed)).toThrow();
});
test('a changed character is detected', () => {
  const [iv, tag, body = ''] = seal(SECRET, 'keys', 'private').split('.');
  const changed = (body.startsWith('A') ? 'B' : 'A') + body.slice(1);
  expect(() => unseal(SECRET, 'keys', [iv, tag, changed].join('.'))).toThrow();
});
test('the same text is sealed differently each time', () =>
  expect(seal(SECRET, 'keys', 'x')).not.toBe(seal(SECRET, 'keys', 'x')));
test('a keyed digest depends on secret, purpose and text', () => {
  const digests = [keyed(SECRET, 'a', 'x'), keyed(SECRET, 'a', 'y'), keyed(SECRET, 'b', 'x'), keyed('other', 'a', 'x')];
  expect(new Set(digests.map((digest) => digest.toString('hex'))).size).toBe(4);
  expect(keyed(SECRET, 'a', 'x')).toEqual(digests[0]);
  expect(keyedText(SECRET, 'a', 'x')).toBe(digests[0]?.toString('base64url'));
});
test('compares texts of any length', () => {
  expect([sameText('key', 'key'), sameText('key', 'kez'), sameText('key', 'longer'), sameText('', 'key')]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test('the first of several secrets seals, all unseal; a text sealed with an older one is resealed once', () => {
  const old = seal('old', 'keys', 'private');
  expect(unseal(['new', 'older', 'old'], 'keys', old)).toBe('private');
  expect(() => unseal(['new', 'newer'], 'keys', old)).toThrow();
  const anew = resealed(['new', 'old'], 'keys', old)!;
  expect(unseal('new', 'keys', anew)).toBe('private');
  expect(resealed(['new', 'old'], 'keys', anew)).toBeUndefined();
  expect(resealed('old', 'keys', old)).toBeUndefined();
  expect(() => resealed(['new'], 'keys', old)).toThrow();
});
test('the first of several secrets is used for digests', () =>
  expect(keyedText(['new', 'old'], 'a', 'x')).toBe(keyedText('new', 'a', 'x')));
test('a match with one of several secrets is enough', () => {
  const is = (right: string) => (secret: string) => secret === right;
  expect(acceptedBy(['new', 'old'], is('old'))).toBe(true);
  expect(acceptedBy(['new', 'old'], is('other'))).toBe(false);
  expect(acceptedBy('one', is('one'))).toBe(true);
});
