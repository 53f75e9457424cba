import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Pool } from 'pg';
import Stripe from 'stripe';
import { logger } from '@beltway/kit/logger';
import { listen, testDatabase } from '@beltway/kit/testing';
import type { State } from '../src/dev/state.ts';
import { sandboxMigrations } from '../src/migrations.ts';
import { createSandbox } from '../src/server.ts';

export const KEYS = { secret: 'sk_test_sandbox', publishable: 'pk_test_sandbox', webhook: 'whsec_sandbox' };

const closed = (server: Server): Promise<unknown> => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
};
async function textOf(req: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of req as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

export interface Hook {
  body: string;
  signature: string;
  event: Stripe.Event;
  at: number;
}

/** A webhook endpoint that stores its deliveries; `answer` determines its response. */
export async function receiver() {
  const hooks: Hook[] = [];
  const state = { answer: (_event: Stripe.Event): number | Promise<number> => 200 };
  const server = createServer(async (req, res) => {
    const body = await textOf(req);
    const event = JSON.parse(body) as Stripe.Event;
    hooks.push({ body, signature: String(req.headers['stripe-signature']), event, at: performance.now() });
    res.writeHead(await state.answer(event)).end();
  });
  const origin = await listen(server);
  return { hooks, state, url: `${origin}/api/stripe/webhook`, close: () => closed(server) };
}
export type Receiver = Awaited<ReturnType<typeof receiver>>;

/** The sandbox on its own database, driven by Stripe's SDK. `restart` starts another sandbox on the same database. */
export async function startSandbox({ events = ['*'] }: { events?: string[] } = {}) {
  const database = await testDatabase([sandboxMigrations]);
  const target = await receiver();

  async function boot() {
    const pool = new Pool({ connectionString: database.url, max: 5 });
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
    const sandbox = createSandbox({
      ...{ pool, log: logger('sandbox', 'silent'), secretKey: KEYS.secret, publishableKey: KEYS.publishable },
      ...{ webhookSecret: KEYS.webhook, webhookUrl: target.url, webhookEvents: events },
    });
    const server = createServer(sandbox.handler);
    const port = Number(new URL(await listen(server)).port);
    await sandbox.start();
    return {
      port,
      pool,
      async stop() {
        await closed(server);
        await sandbox.stop();
        await pool.end();
      },
    };
  }

  let running = await boot();
  const origin = () => `http://127.0.0.1:${running.port}`;
  return {
    target,
    database,
    origin,
    pool: () => running.pool,
    stripe: (key = KEYS.secret, retries = 0) =>
      new Stripe(key, {
        host: '127.0.0.1',
        port: running.port,
        protocol: 'http',
        maxNetworkRetries: retries,
        telemetry: false,
      }),
    /** Calls the API like a browser, with the publishable key. */
    async browser(path: string, form: Record<string, string>, method: 'GET' | 'POST' = 'POST') {
      const body = new URLSearchParams({ key: KEYS.publishable, ...form });
      const url = `${origin()}/sandbox/stripe/v1${path}`;
      const res = await (method === 'GET' ? fetch(`${url}?${body}`) : fetch(url, { method, body }));
      return { status: res.status, body: (await res.json()) as BrowserAnswer };
    },
    async dev(method: string, path: string, body?: unknown) {
      const res = await fetch(`${origin()}/dev/payments${path}`, {
        method,
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      return { status: res.status, body: (await res.json()) as DevAnswer };
    },
    async restart() {
      await running.stop();
      running = await boot();
    },
    async stop() {
      await running.stop();
      await target.close();
      await database.drop();
    },
  };
}
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** Returns the value; throws if it is undefined. */
export function the<T>(thing: T | undefined): T {
  if (thing === undefined) throw new Error('it is not there');
  return thing;
}

/** The JSON of `/dev/payments`: the state, or a part of it. */
export type DevAnswer = State & State['webhooks'] & { delivering?: number };

export interface BrowserAnswer {
  id: string;
  status: string;
  next_action: { use_stripe_sdk: { source: string } };
  error?: { type: string; code: string; decline_code?: string; message: string; payment_intent?: { status: string } };
  [field: string]: unknown;
}

/** A card in the form of the browser's request. */
export const card = (number: string, more: Record<string, string> = {}): Record<string, string> => ({
  'payment_method_data[type]': 'card',
  'payment_method_data[card][number]': number,
  'payment_method_data[card][exp_month]': '12',
  'payment_method_data[card][exp_year]': '2040',
  'payment_method_data[card][cvc]': '123',
  ...more,
});
