import { expect, test } from 'vitest';
import { pathPattern } from './built.ts';

const pattern = pathPattern([
  '/',
  '/auth',
  '/checkout',
  '/checkout/success',
  '/u/:id',
  '/studio/:eventId',
  '/ad/:uuid',
]);

test.each([
  ...['/', '/auth', '/auth/', '/checkout', '/checkout/success', '/u/7', '/u/1234567890', '/studio/7/'],
  '/ad/0b5a1a3e-6f0e-4d6e-9a53-0f8a2a1f7c11',
])('the frontend has content at %s', (path) => expect(pattern.test(path)).toBe(true));

test.each([
  ...['/nowhere', '/auth/x', '/checkout/other', '/u', '/u/', '/u/0', '/u/abc', '/u/12345678901', '/u/7/x', '//auth'],
  ...['/studio/none', '/ad/a/b', `/ad/${'a'.repeat(37)}`, '/AUTH'],
])('the frontend has no content at %s', (path) => expect(pattern.test(path)).toBe(false));
