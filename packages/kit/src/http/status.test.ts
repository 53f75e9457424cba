import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, test } from 'vitest';
import { InstanceStatus } from '@beltway/contracts/ops/instances';
import { canWait, type Checks } from './health.ts';
import { instanceStatus, nameProcess, statusRoute } from './status.ts';

const lags = async () => ({
  followers: [{ name: 'relay', events: 3, seconds: 1.5 }],
  groups: [{ group: 'a.b', messages: null }],
});

async function ask(checks: Checks) {
  const server = createServer(express().get('/health/status', statusRoute(checks, lags)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/health/status`);
    return { code: answer.status, status: InstanceStatus.parse(await answer.json()) };
  } finally {
    await new Promise((resolve) => (server.close(resolve), server.closeAllConnections()));
  }
}

test('an instance reports its build and lag, even when it is not ready', async () => {
  nameProcess({ service: 'catalog', version: '1.2.0', commit: undefined });
  const away = () => () => Promise.reject(new Error('no answer'));
  const ready = await ask({ database: () => 1, bus: canWait(away()) });
  expect(ready).toMatchObject({
    code: 200,
    status: { service: 'catalog', version: '1.2.0', commit: null, ready: true, failed: { bus: 'no answer' } },
  });
  expect(ready.status).toMatchObject(await lags());
  expect(Date.parse(ready.status.startedAt) + ready.status.uptimeSeconds * 1_000).toBeLessThanOrEqual(
    Date.now() + 1_000,
  );
  expect(await ask({ database: away() })).toMatchObject({ code: 200, status: { ready: false } });
});

test('an instance that follows nothing has no lag', async () => {
  expect(await instanceStatus({})).toMatchObject({ ready: true, followers: [], groups: [] });
});
