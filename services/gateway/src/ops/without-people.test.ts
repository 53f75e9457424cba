import fc from 'fast-check';
import { expect, test } from 'vitest';
import { causeOf, outlineOf } from './without-people.ts';

test('an outline of a message shows its fields, ids, times, numbers and type names, but no personal texts', () => {
  const message = {
    id: '0b0e7a5c-1111-4111-8111-111111111111',
    type: 'identity.user-registered',
    version: 1,
    key: 'user-3',
    occurredAt: '2026-03-07T20:00:00.000Z',
    data: { userId: 3, name: 'ann', email: 'ann@example.test', role: 'business', note: 7, tags: ['Jazz at 8', 'free'] },
  };
  expect(outlineOf(message, 1_000)).toBe(
    '{ id: "0b0e7a5c-1111-4111-8111-111111111111", type: "identity.user-registered", version: 1, key: "user-3", ' +
      'occurredAt: "2026-03-07T20:00:00.000Z", data: { userId: 3, name: "hidden", email: "hidden", role: "business", ' +
      'note: "hidden", tags: ["hidden", "free"] } }',
  );
});

test.each([
  ['no json', '"hidden"'],
  [null, 'null'],
  [42, '42'],
  [{ '<img src=x onerror=alert(1)>': 1 }, '{ …: 1 }'],
  [{ holder: { first: 'ann', address: ['x'] } }, '{ holder: { first: "hidden", address: ["hidden"] } }'],
])('of %j: %s', (message, outline) => expect(outlineOf(message, 200)).toBe(outline));

test('an outline has the requested length for any message, and contains no email address', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 10, max: 300 }), (value, max) => {
      const outline = outlineOf({ value, who: 'ann@example.test', deep: value }, max);
      expect(outline.length).toBeLessThanOrEqual(max);
      expect(outline).not.toContain('ann@');
    }),
  );
});

test('an endlessly nested message also has an outline', () => {
  let nested: unknown = 'x';
  for (let depth = 0; depth < 10_000; depth++) nested = [nested];
  expect(outlineOf(nested, 100)).toContain('"hidden"');
});

test.each([
  [{ name: 'Error', message: 'a bug' }, 'Error: a bug'],
  [
    { name: 'TypeError', message: "Cannot read properties of undefined (reading 'tickets')" },
    "TypeError: Cannot read properties of undefined (reading 'tickets')",
  ],
  [
    { name: 'error', message: 'invalid input syntax for type integer: "Ann Lee"' },
    'error: invalid input syntax for type integer: "…"',
  ],
  [{ name: 'Error', message: 'no mail to ann.lee@example.test, (202) 555-0143' }, 'Error: no mail to …@…, (…'],
  [
    { name: 'ZodError', message: '[\n  {\n    "message": "Invalid input: expected number"\n  }\n]' },
    'ZodError: [ { "message": "Invalid input: expected number" } ]',
  ],
])('the cause %j is shown as %s', (error, cause) => expect(causeOf(error, 300)).toBe(cause));

test('a long cause is cut', () => expect(causeOf({ name: 'Error', message: 'x '.repeat(5_000) }, 50)).toHaveLength(50));
