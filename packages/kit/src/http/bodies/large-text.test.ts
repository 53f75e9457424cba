import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LargeTextReader } from './large-text.ts';

const MOST = 300_000;
/** What the reader makes of a body that arrives in pieces of so many bytes. */
function read(body: string | Buffer, pieceLength = 65_536): unknown {
  const reader = new LargeTextReader('imageUrl', MOST);
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += pieceLength) reader.write(bytes.subarray(at, at + pieceLength));
  return reader.end();
}
const refusal = (body: string) => {
  try {
    return read(body);
  } catch (error) {
    return (error as { code: string }).code;
  }
};

test('any object is read as JSON.parse reads it, in whatever pieces it arrives', () => {
  const key = fc.oneof(fc.constantFrom('imageUrl', 'image', '"imageUrl"', 'imageUrl\\', '{', ':,'), fc.string());
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', maxDepth: 4 },
      fc.string({ unit: 'binary' }),
      fc.constantFrom('"imageUrl":"x"', '\\', '\\"', '"'),
      fc.integer(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(key, value), fc.integer({ min: 1, max: 40 }), fc.boolean(), (object, length, spaced) => {
      const text = JSON.stringify(object, null, spaced ? 2 : 0);
      expect(read(text, length)).toEqual(JSON.parse(text));
    }),
    { numRuns: 500 },
  );
});

test('only the field of the outermost object may be large', () => {
  const large = 'x'.repeat(200_000);
  expect(read(JSON.stringify({ title: 'a', imageUrl: large, tags: [] }))).toEqual({
    title: 'a',
    imageUrl: large,
    tags: [],
  });
  for (const body of [
    { title: large },
    { [large]: 1 },
    { image: large },
    { a: { imageUrl: large } },
    [{ imageUrl: large }],
    ['imageUrl', large],
    { imageUrl: [large] },
    { imageUrl: 'x'.repeat(MOST + 1) },
    { imageUrl: 'x', x: Array(40_000).fill({}) },
  ])
    expect(refusal(JSON.stringify(body)), JSON.stringify(body).slice(0, 40)).toBe('too-large');
  expect(refusal(`{"image\\u0055rl":"${large}"}`)).toBe('too-large');
});

test('a text of nothing but escapes is read in time that grows with its length', () => {
  const escapes = '\\/'.repeat(MOST / 2);
  expect(read(`{"imageUrl":"${escapes}"}`)).toEqual({ imageUrl: '/'.repeat(MOST / 2) });
});

test('a field that comes twice, or a text that does not end, is refused', () => {
  expect(refusal('{"imageUrl":"a","imageUrl":"b"}')).toBe('repeated-key');
  for (const body of ['{"imageUrl":"a', '{"imageUrl":"a\\"}', '{"imageUrl":"a"', '{"imageUrl":"a" "b"}', '', '"a"'])
    expect(refusal(body), body).toBe('malformed-json');
  expect(refusal('{"imageUrl":"\n"}')).toBe('malformed-json');
  expect(refusal(`{"x":${'['.repeat(9)}${']'.repeat(9)},"imageUrl":"a"}`)).toBe('too-deep');
  expect(refusal(`{"imageUrl":"a","x":[${'{},'.repeat(1_000)}{}]}`)).toBe('too-many-values');
});

test('bytes that are no UTF-8 become the sign for that, as everywhere', () =>
  expect(read(Buffer.from('{"imageUrl":"\xff"}', 'latin1'))).toEqual({ imageUrl: '\ufffd' }));
