import { expect, test } from 'vitest';
import { freePorts } from './free-ports.ts';

test('a port is returned only once, even to concurrent callers', async () => {
  const calls = await Promise.all(Array.from({ length: 12 }, () => freePorts(8)));
  expect(new Set(calls.flat()).size).toBe(96);
});

test('when nearly all ports were returned, free ports are reused', async () => {
  for (let call = 0; call < 4; call++) expect(new Set(await freePorts(100)).size).toBe(100);
});
