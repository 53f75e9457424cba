import express from 'express';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { metricsText } from '../observe/metrics.ts';
import { canWait, healthRoutes, showStarted, showStarting, type Checks } from './health.ts';

async function ask(checks: Checks) {
  const server = express()
    .use(healthRoutes(checks, 'catalog', 'x1'))
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`);
    return { status: answer.status, body: (await answer.json()) as unknown };
  } finally {
    server.close();
  }
}

/** The fields of the response that identify the instance. */
const us = { service: 'catalog', instance: 'x1' };

const fails = () => {
  throw new Error('away');
};

test('ready when every check succeeds', async () => {
  expect(await ask({ database: () => 1, sessions: () => true })).toEqual({
    status: 200,
    body: { status: 'ready', ...us },
  });
});

test('not ready when a check fails; the response names the check and the reason', async () => {
  expect(await ask({ database: fails, sessions: () => false, bus: canWait(() => true) })).toEqual({
    status: 503,
    body: { status: 'not ready', ...us, failed: { database: 'away', sessions: 'not ready' } },
  });
});

test('a failed check of a part that may be down is named, and the instance stays ready', async () => {
  expect(await ask({ database: () => 1, bus: canWait(fails) })).toEqual({
    status: 200,
    body: { status: 'ready', ...us, failed: { bus: 'away' } },
  });
});

test('a check without an answer fails after two seconds', async () => {
  expect(await ask({ database: () => new Promise(() => undefined) })).toMatchObject({
    status: 503,
    body: { failed: { database: 'no answer in 2000 ms' } },
  });
});

test('`ready` exports each part: 0 for a part that does not work, and for `start` during the start', async () => {
  const shown = async () =>
    Object.fromEntries(
      [...(await metricsText()).matchAll(/^ready\{service="catalog",part="(\w+)"\} (\d)$/gm)].map(([, part, value]) => [
        part,
        Number(value),
      ]),
    );
  showStarting('catalog');
  expect(await shown()).toEqual({ start: 0 });
  healthRoutes({ database: () => 1, sessions: () => false, bus: () => new Promise(() => undefined) }, 'catalog');
  expect(await shown()).toEqual({ start: 0, database: 1, sessions: 0, bus: 0 });
  showStarted();
  expect(await shown()).toMatchObject({ start: 1 });
});
