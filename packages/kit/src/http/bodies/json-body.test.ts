import { expect, test } from 'vitest';
import { parseJson } from './json-body.ts';

const codeOf = (text: string) => {
  try {
    parseJson(Buffer.from(text));
    return 'taken';
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test('values and nesting levels are limited', () => {
  expect(codeOf(nested(8))).toBe('taken');
  expect(codeOf(nested(9))).toBe('too-deep');
  expect(codeOf(`[${'1,'.repeat(998)}1]`)).toBe('taken');
  expect(codeOf(`[${'1,'.repeat(1_000)}1]`)).toBe('too-many-values');
  expect(codeOf(`[${'{},'.repeat(30_000)}{}]`)).toBe('too-many-values');
  expect(codeOf(`{${Array.from({ length: 2_000 }, (_, n) => `"${n}":1`).join()}}`)).toBe('too-many-values');
});

test('brackets and commas inside strings do not count', () => {
  expect(codeOf(JSON.stringify({ text: ',[{"\\'.repeat(5_000) }))).toBe('taken');
  expect(codeOf(JSON.stringify({ '[[[[[[[[[[': 'שלום, ‏[[[[[[[[[[' }))).toBe('taken');
});

test('invalid JSON is reported as malformed, whatever its quotes', () => {
  for (const text of ['', '"x"', '1', 'null', '{"a":', '{"a":"\\', ']]]][[[[', '[1,]', '{"a":1}{"b":2}'])
    expect(codeOf(text), text).toBe('malformed-json');
});

test('unusual numbers and keys are harmless', () => {
  expect(parseJson(Buffer.from('{"n":1e400,"m":-0}'))).toEqual({ n: Infinity, m: -0 });
  expect(codeOf(`[${'9'.repeat(90_000)}]`)).toBe('taken');
  const body = parseJson(Buffer.from('{"__proto__":{"isAdmin":true},"a":1,"a":2}')) as { isAdmin?: boolean; a: number };
  expect([body.isAdmin, body.a, ({} as { isAdmin?: boolean }).isAdmin]).toEqual([undefined, 2, undefined]);
});
