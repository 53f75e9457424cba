import { expect, test } from 'vitest';
import { HttpProblem } from '../problems.ts';
import { checkedKey } from './idempotency-key.ts';

test.each([undefined, '8letters', 'x'.repeat(128), 'a.b-c_d!~', crypto.randomUUID()])('takes the key %j', (key) =>
  expect(checkedKey(key)).toBe(key),
);

test.each(['', '7letter', 'x'.repeat(129), 'two words', 'a\ttab-key', 'not-äscii', 'a-line\n-break', '\x7f'.repeat(8)])(
  'refuses the key %j with 400, and names the field',
  (key) => {
    const refused = {
      status: 400,
      errors: [{ field: 'Idempotency-Key', message: expect.stringContaining('8 to 128'), text: 'invalid.key' }],
    };
    expect(() => checkedKey(key)).toThrow(HttpProblem);
    expect(() => checkedKey(key)).toThrow(expect.objectContaining(refused));
  },
);
