import { expect, test } from 'vitest';
import { ourOrigin } from './origins.ts';

test.each([
  ['https://beltway.example', 'https://beltway.example', true],
  ['https://beltway.example/', 'https://beltway.example', true],
  ['https://beltway.example', undefined, true],
  ['https://beltway.example', 'http://beltway.example', false],
  ['https://beltway.example', 'https://beltway.example.evil.test', false],
  ['https://beltway.example', 'null', false],
  ['https://beltway.example', '', false],
  ['https://beltway.example', 'http://localhost', false],
  ['http://localhost:3000', 'http://127.0.0.1:3000', true],
  ['http://localhost:3000', 'http://[::1]:3000', true],
  ['http://localhost:3000', 'http://localhost:3001', false],
  ['http://localhost', 'http://127.0.0.1', true],
])('at %s, a page of %s: %s', (publicUrl, origin, expected) => expect(ourOrigin(publicUrl)(origin)).toBe(expected));
