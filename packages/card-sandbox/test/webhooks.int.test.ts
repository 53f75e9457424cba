import { fork, type ChildProcess } from 'node:child_process';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '@beltway/kit/free-ports';
import { eventually, testDatabase } from '@beltway/kit/testing';
import type { EventState } from '../src/dev/state.ts';
import { KEYS, receiver, startSandbox, the, type Sandbox } from './harness.ts';
import { sandboxMigrations } from '../src/migrations.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ events: ['payment_intent.created', 'payment_intent.succeeded', 'charge.refunded'] });
});
afterAll(() => sandbox.stop());
afterEach(async () => {
  sandbox.target.state.answer = () => 200;
  await sandbox.dev('PUT', '/webhooks', { mode: 'normal' });
  await eventually(async () => (await sandbox.dev('GET', '/state')).body.queue.pending === 0, {
    what: 'an empty queue',
  });
  sandbox.target.hooks.length = 0;
});

const buy = async () => {
  const { id } = await sandbox.stripe().paymentIntents.create({ amount: 2500, currency: 'usd' });
  await sandbox.stripe().paymentIntents.confirm(id, { payment_method: 'pm_card_visa', return_url: 'https://b.test/' });
  return id;
};
const heard = (id: string) =>
  sandbox.target.hooks.filter((hook) => JSON.stringify(hook.event.data.object).includes(id));
const types = (id: string) =>
  heard(id)
    .map((hook) => hook.event.type)
    .sort();
const both = ['payment_intent.created', 'payment_intent.succeeded'];
const arrived = (id: string, count: number) =>
  eventually(() => heard(id).length >= count, { what: `${count} webhooks of ${id}` });
const eventOf = async (id: string, type: string): Promise<EventState> => {
  const { body } = await sandbox.dev('GET', '/state');
  return the(the(body.intents.find((intent) => intent.id === id)).events.find((event) => event.type === type));
};
/** The event, once its first delivery succeeded. */
const delivered = (id: string, type: string) =>
  eventually(async () => {
    const event = await eventOf(id, type);
    return the(event.deliveries[0]).state === 'delivered' && event;
  });

test('webhooks have the same signatures as Stripe’s, and only subscribed events are sent', async () => {
  const id = await buy();
  await arrived(id, 2);
  for (const { body, signature } of heard(id)) {
    const event = sandbox.stripe().webhooks.constructEvent(body, signature, KEYS.webhook);
    expect(event).toMatchObject({ object: 'event', api_version: Stripe.API_VERSION, livemode: false });
    expect(() => sandbox.stripe().webhooks.constructEvent(`${body} `, signature, KEYS.webhook)).toThrow();
    expect(() => sandbox.stripe().webhooks.constructEvent(body, signature, 'whsec_other')).toThrow();
  }
  expect(types(id)).toEqual(both);
});

test('webhooks are retried until the response is 2xx, each time with a new signature', async () => {
  let refusals = 2;
  sandbox.target.state.answer = (event) => (event.type === 'payment_intent.succeeded' && refusals-- > 0 ? 500 : 200);
  const id = await buy();
  await arrived(id, 4);
  const tries = heard(id).filter((hook) => hook.event.type === 'payment_intent.succeeded');
  expect(new Set(tries.map((hook) => hook.event.id)).size).toBe(1);
  expect((tries[1]?.at ?? 0) - (tries[0]?.at ?? 0)).toBeGreaterThan(190);
  expect((tries[2]?.at ?? 0) - (tries[1]?.at ?? 0)).toBeGreaterThan(990);
  expect(tries[2]?.signature).not.toBe(tries[0]?.signature);
  const event = await delivered(id, 'payment_intent.succeeded');
  expect(the(event.deliveries[0]).log.map((attempt) => attempt.status)).toEqual([500, 500, 200]);
});

test('webhooks can arrive late', async () => {
  await sandbox.dev('PUT', '/webhooks', { mode: 'late', seconds: 0.6 });
  const started = performance.now();
  const id = await buy();
  await arrived(id, 2);
  expect((heard(id)[0]?.at ?? 0) - started).toBeGreaterThan(590);
});

test('webhooks can arrive twice', async () => {
  await sandbox.dev('PUT', '/webhooks', { mode: 'doubled' });
  const id = await buy();
  await arrived(id, 4);
  expect(types(id)).toEqual([both[0], both[0], both[1], both[1]]);
  expect(new Set(heard(id).map((hook) => hook.event.id)).size).toBe(2);
});

describe('lost webhooks', () => {
  test('are held until a person releases one, or the mode is reset', async () => {
    await sandbox.dev('PUT', '/webhooks', { mode: 'lost' });
    const id = await buy();
    const held = await eventOf(id, 'payment_intent.succeeded');
    expect(held.deliveries).toMatchObject([{ state: 'held', attempts: 0 }]);
    expect((await sandbox.dev('POST', `/events/${held.id}/deliver`, {})).status).toBe(202);
    await arrived(id, 1);
    expect(types(id)).toEqual(['payment_intent.succeeded']);
    await sandbox.dev('PUT', '/webhooks', { mode: 'normal' });
    await arrived(id, 2);
    expect(types(id)).toEqual(both);
  });

  test('are held until all are released together', async () => {
    await sandbox.dev('PUT', '/webhooks', { mode: 'lost' });
    const id = await buy();
    expect((await sandbox.dev('GET', '/state')).body.queue.held).toBe(2);
    expect((await sandbox.dev('POST', '/deliver-all', {})).body).toEqual({ delivering: 2 });
    await arrived(id, 2);
  });

  test('include webhooks that waited for a retry', async () => {
    sandbox.target.state.answer = () => 500;
    const id = await buy();
    await arrived(id, 2);
    await sandbox.dev('PUT', '/webhooks', { mode: 'lost' });
    await eventually(async () => (await sandbox.dev('GET', '/state')).body.queue.held === 2);
    const { status } = await sandbox.dev('POST', '/events/evt_nobody/deliver', {});
    expect(status).toBe(404);
  });
});

test('webhooks can arrive out of order', async () => {
  await sandbox.dev('PUT', '/webhooks', { mode: 'shuffled', seconds: 1 });
  const ids = await Promise.all(Array.from({ length: 20 }, buy));
  await eventually(() => ids.every((id) => heard(id).length === 2), { what: 'all webhooks' });
  // Each pair is swapped with a probability near one half, so the chance that none of twenty pairs is swapped is one in
  // a million.
  expect(ids.some((id) => heard(id)[0]?.event.type === 'payment_intent.succeeded')).toBe(true);
});

test('webhooks are sent again on request', async () => {
  const id = await buy();
  await arrived(id, 2);
  const event = await delivered(id, 'payment_intent.succeeded');
  await sandbox.dev('POST', `/events/${event.id}/deliver`, {});
  await arrived(id, 3);
  expect(types(id)).toEqual([...both, 'payment_intent.succeeded']);
});

test('all webhooks arrive, even if there are more than the concurrency limit', async () => {
  let go: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (go = resolve));
  sandbox.target.state.answer = () => gate.then(() => 200);
  const make = () => sandbox.stripe().paymentIntents.create({ amount: 500, currency: 'usd' });
  const ids: string[] = [];
  for (let round = 0; round < 8; round++)
    ids.push(...(await Promise.all(Array.from({ length: 50 }, make))).map(({ id }) => id));
  go();
  await eventually(() => ids.every((id) => heard(id).length === 1), { what: 'every webhook, once', timeoutMs: 40_000 });
});

test('webhooks survive a restart, like all other data', async () => {
  await sandbox.dev('PUT', '/webhooks', { mode: 'lost', seconds: 7 });
  const id = await buy();
  const key = { idempotencyKey: 'before-restart' };
  const refund = await sandbox.stripe().refunds.create({ payment_intent: id }, key);
  await sandbox.restart();
  expect((await sandbox.dev('GET', '/state')).body.webhooks).toEqual({ mode: 'lost', seconds: 7 });
  expect((await sandbox.stripe().refunds.create({ payment_intent: id }, key)).id).toBe(refund.id);
  expect(heard(id)).toHaveLength(0);
  await sandbox.dev('PUT', '/webhooks', { mode: 'normal' });
  await arrived(id, 3);
});

describe('the process', () => {
  const processes: ChildProcess[] = [];
  afterAll(() => processes.forEach((child) => child.kill('SIGKILL')));

  async function spawn(env: Record<string, string>): Promise<ChildProcess> {
    const main = new URL('../src/main.ts', import.meta.url).pathname;
    const child = fork(main, {
      env: { PATH: process.env['PATH'], LOG_LEVEL: 'silent', ...env },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    processes.push(child);
    await eventually(async () => (await fetch(`http://127.0.0.1:${env['SERVICE_PORT']}/health/ready`)).status === 200, {
      what: 'readiness',
      timeoutMs: 20_000,
    });
    return child;
  }
  const ended = (child: ChildProcess) =>
    eventually(() => child.exitCode !== null || child.signalCode !== null, { what: 'the end of the process' });

  test('resumes after a kill, and ends on SIGTERM or when its launcher is gone', async () => {
    const database = await testDatabase([sandboxMigrations]);
    const target = await receiver();
    target.state.answer = () => 503;
    const port = await freePort();
    const env = {
      ...{ SERVICE_PORT: String(port), DATABASE_URL: database.url, WEBHOOK_URL: target.url },
      ...{
        STRIPE_SECRET_KEY: KEYS.secret,
        STRIPE_PUBLISHABLE_KEY: KEYS.publishable,
        STRIPE_WEBHOOK_SECRET: KEYS.webhook,
      },
    };
    const first = await spawn(env);
    const stripe = new Stripe(KEYS.secret, { host: '127.0.0.1', port, protocol: 'http', telemetry: false });
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await stripe.paymentIntents.create({ amount: 500, currency: 'usd' })).id),
    );
    first.kill('SIGKILL');
    await ended(first);

    target.state.answer = () => 200;
    target.hooks.length = 0;
    const second = await spawn(env);
    await eventually(
      () => ids.every((id) => target.hooks.some((hook) => (hook.event.data.object as { id: string }).id === id)),
      { what: 'every event' },
    );
    expect((await stripe.paymentIntents.retrieve(ids[0] ?? '')).status).toBe('requires_payment_method');
    second.disconnect();
    await ended(second);
    expect(second.exitCode).toBe(0);

    const third = await spawn(env);
    third.kill('SIGTERM');
    await ended(third);
    expect(third.exitCode).toBe(0);
    await target.close();
    await database.drop();
  });
});
