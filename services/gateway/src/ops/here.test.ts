import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import { fromHere } from './here.ts';

const asked = (remoteAddress: string, host: string | undefined, direct = true) =>
  fromHere({ BELTWAY_MODE: 'embedded', TRUSTED_HOPS: 0 })(
    { socket: { remoteAddress }, headers: { host } } as Request,
    { locals: { direct } } as unknown as Response,
  );

test.each([
  ['127.0.0.1', 'localhost:3000', true],
  ['::1', '[::1]:3000', true],
  ['::ffff:127.0.0.1', '127.0.0.1', true],
  ['192.168.1.7', 'localhost:3000', false],
  ['::ffff:192.168.1.7', 'localhost', false],
  ['127.0.0.1', 'beltway.example', false],
  ['127.0.0.1', '127.0.0.1.evil.example', false],
  ['127.0.0.1', '192.168.1.7:3000', false],
  ['127.0.0.1', undefined, false],
])('from %s, to %s: %s', (address, host, here) => {
  expect(asked(address, host)).toBe(here);
  expect(asked(address, host, false)).toBe(false);
});
