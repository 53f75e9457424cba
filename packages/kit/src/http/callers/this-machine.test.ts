import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { FROM_THIS_MACHINE, isCrossOrigin, isFromThisMachine } from './this-machine.ts';

const asked = (remoteAddress: string, headers: IncomingMessage['headers']) =>
  isFromThisMachine({ socket: { remoteAddress }, headers } as IncomingMessage);

test.each([
  ['127.0.0.1', 'localhost:3000', true],
  ['::1', '[::1]:3000', true],
  ['::ffff:127.0.0.1', '127.0.0.1', true],
  ['127.0.0.1', 'LOCALHOST', true],
  ['192.168.1.7', 'localhost:3000', false],
  ['::ffff:192.168.1.7', 'localhost', false],
  ['127.0.0.1', 'evil.test', false],
  ['127.0.0.1', 'evil.test:3000', false],
  ['127.0.0.1', '127.0.0.1.evil.test', false],
  ['127.0.0.1', 'localhost.evil.test', false],
  ['127.0.0.1', 'localhost.', false],
  ['127.0.0.1', 'localhost:3000@evil.test', false],
  ['127.0.0.1', '192.168.1.7:3000', false],
  ['127.0.0.1', '0.0.0.0:3000', false],
  ['127.0.0.1', '', false],
  ['127.0.0.1', undefined, false],
])('from %s, to %s: %s', (address, host, here) => {
  expect(asked(address, { host })).toBe(here);
});

test('a request through the gateway is classified as the gateway marks it', () => {
  const host = 'localhost:3000';
  expect(asked('127.0.0.1', { host, 'x-forwarded-for': '127.0.0.1' })).toBe(false);
  expect(asked('127.0.0.1', { host, 'x-forwarded-for': '127.0.0.1', [FROM_THIS_MACHINE]: '1' })).toBe(true);
  expect(asked('127.0.0.1', { host: 'evil.test', 'x-forwarded-for': '127.0.0.1', [FROM_THIS_MACHINE]: '1' })).toBe(
    false,
  );
});

const host = 'localhost:3000';
const link = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
test.each([
  ['a program', 'POST', {}, false],
  ['our own script', 'POST', { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:3000' }, false],
  ['our own script, in an old browser', 'POST', { origin: 'http://localhost:3000' }, false],
  ['an address that was typed', 'GET', { 'sec-fetch-site': 'none' }, false],
  ['a link', 'GET', { 'sec-fetch-site': 'cross-site', ...link }, false],
  ['a form of another site', 'POST', { 'sec-fetch-site': 'cross-site', ...link }, true],
  ['a frame of another site', 'GET', { 'sec-fetch-site': 'cross-site', ...link, 'sec-fetch-dest': 'iframe' }, true],
  ['a picture of another site', 'GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, true],
  ['a script of another port', 'POST', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:8080' }, true],
  ['another site, in an old browser', 'POST', { origin: 'https://evil.test' }, true],
  ['another port, in an old browser', 'POST', { origin: 'http://localhost:8080' }, true],
  ['a sandboxed frame, in an old browser', 'POST', { origin: 'null' }, true],
])('%s (%s)', (_who, method, headers, foreign) => {
  expect(isCrossOrigin({ method, headers: { host, ...headers } } as IncomingMessage)).toBe(foreign);
});
