import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Ajv, type ValidateFunction } from 'ajv';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '@beltway/kit/testing';
import { parseForm } from '../../../packages/card-sandbox/src/form.ts';
import type { PaymentTerms } from '../src/payment/events.ts';
import { openProvider, type Provider } from '../src/provider/provider.ts';
import { ordersOf } from './orders.ts';
import { anOrder, keys, startStack, termsOf, type Stack } from './stack.ts';

type Schema = { [name: string]: unknown };
interface Description {
  calls: Array<{ method: string; path: string; query: Record<string, Schema>; body: Schema | null; answer: Schema }>;
  components: { schemas: Record<string, Schema> };
}
const description = JSON.parse(
  readFileSync(new URL('stripe-openapi/openapi.json', import.meta.url), 'utf8'),
) as Description;

const DESCRIPTION = 'stripe';

/**
 * Converts OpenAPI's `nullable` to JSON Schema. With `isClosed`, properties that a request's schema does not list are
 * rejected, at any depth.
 */
function jsonSchema(value: unknown, isClosed: boolean): unknown {
  if (Array.isArray(value)) return value.map((inner) => jsonSchema(inner, isClosed));
  if (typeof value !== 'object' || value === null) return value;
  const {
    nullable,
    format: _format,
    ...schema
  } = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === '$ref' && typeof inner === 'string' ? `${DESCRIPTION}${inner}` : jsonSchema(inner, isClosed),
    ]),
  );
  if (isClosed && schema['type'] === 'object' && 'properties' in schema) schema['additionalProperties'] ??= false;
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema;
}

/** Coerces types, because a form contains numbers as text. */
const requests = new Ajv({ strict: false, coerceTypes: true });
/** Each schema is compiled on first use, once for all tests. */
const answers = new Ajv({ strict: false, allErrors: true });
for (const ajv of [requests, answers])
  ajv.addSchema({ $id: DESCRIPTION, components: jsonSchema(description.components, false) } as object);

const compiled = new Map<string, ValidateFunction>();
function validator(name: string, schema: unknown, isRequest: boolean): ValidateFunction {
  const known = compiled.get(name);
  if (known) return known;
  const made = (isRequest ? requests : answers).compile(jsonSchema(schema, isRequest) as object);
  compiled.set(name, made);
  return made;
}

/** How the value violates the description; undefined if it does not. */
function faultOf(name: string, schema: unknown, value: unknown, isRequest: boolean): string | undefined {
  const check = validator(name, schema, isRequest);
  return check(value) ? undefined : JSON.stringify(check.errors);
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
const callOf = (method: string, path: string) =>
  description.calls.find((call) => call.method === method.toLowerCase() && call.path === path) ??
  description.calls.find((call) => call.method === method.toLowerCase() && patternOf(call.path).test(path));

interface Exchange {
  method: string;
  url: URL;
  body: string;
  status: number;
  answer: unknown;
}

/** All violations of the description, in our request or in the sandbox's response. */
function faultsOf({ method, url, body, status, answer }: Exchange): string[] {
  const what = `${method} ${url.pathname}`;
  const call = callOf(method, url.pathname);
  if (!call) return [`${what} is none of the calls that were recorded`];
  const sent =
    method === 'GET'
      ? faultOf(
          `query ${what}`,
          { type: 'object', properties: call.query, additionalProperties: false },
          parseForm(url.search.slice(1)),
          true,
        )
      : faultOf(`body ${what}`, call.body ?? { type: 'object', additionalProperties: false }, parseForm(body), true);
  const answered = status === 200 ? faultOf(`answer ${what}`, call.answer, answer, false) : undefined;
  return [
    ...(sent ? [`${what} was sent ${body || url.search}: ${sent}`] : []),
    ...(answered ? [`${what} was answered otherwise: ${answered}`] : []),
  ];
}

let stack: Stack;
let provider: Provider;
const exchanges: Exchange[] = [];
/** A proxy between provider client and sandbox. It forwards and records everything. */
const recorder = createServer(async (req, res) => {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part as Buffer);
  const body = Buffer.concat(parts).toString();
  const method = req.method ?? 'GET';
  const headers = Object.fromEntries(
    Object.entries(req.headers).filter(([name]) => !/^(host|connection|content-length|transfer-encoding)$/.test(name)),
  ) as Record<string, string>;
  const answer = await fetch(`${stack.apiBase}${req.url}`, { method, headers, ...(method === 'POST' && { body }) });
  const text = await answer.text();
  const url = new URL(req.url ?? '/', 'http://recorder');
  exchanges.push({ method, url, body, status: answer.status, answer: JSON.parse(text) });
  res.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
});

beforeAll(async () => {
  stack = await startStack();
  const apiBase = await listen(recorder);
  provider = openProvider({ ...keys, apiBase });
});
afterAll(async () => {
  recorder.closeAllConnections();
  await new Promise((resolve) => recorder.close(resolve));
  await stack.stop();
});

/** A paid intent, with or without a destination account. */
async function paid(destination?: string): Promise<PaymentTerms> {
  const order = anOrder({ amountCents: 5_000 });
  const terms = { ...termsOf(order), ...(destination !== undefined && { destination }) };
  const customerId = await provider.openCustomer(9);
  const intent = await provider.request(terms, { ...order, customerId }, randomUUID());
  expect(await stack.pay(intent.id)).toBe('paid');
  return { ...terms, paymentId: intent.id };
}

test('every request of ours, and every answer of the sandbox, matches Stripe’s description', async () => {
  const asked = new Set<string>();
  provider = new Proxy(provider, {
    get: (all, name: keyof Provider) => (asked.add(name), all[name]),
  });
  const { accountId } = await provider.openAccount({ id: 3, email: 'olga@example.com' }, randomUUID());
  await provider.accountLink(accountId, { returnUrl: 'http://localhost/r', refreshUrl: 'http://localhost/f' });
  for (const outcome of ['review', 'restrict', 'reject', 'complete']) {
    await stack.dashboard(`/accounts/${accountId}`, { outcome });
    await provider.account(accountId);
  }

  const plain = await paid();
  await provider.retrieve(plain.paymentId);
  await provider.intentsOf(plain.id);
  const order = anOrder();
  const open = await provider.request(termsOf(order), { ...order, receiptEmail: null }, randomUUID());
  await provider.cancel(open.id);
  const { chargeId } = await provider.movesOf(plain);
  const share = { cents: 4_750, destination: accountId, chargeId };
  const transfer = await provider.transfer(plain, share, randomUUID());
  if (transfer.type !== 'RecordTransfer') throw new Error('no transfer');
  await provider.reverse(plain, { transferId: transfer.transferId, cents: 100 }, randomUUID());
  await provider.movesOf(plain);
  await provider.refundPart(plain, { requestId: randomUUID(), cents: 100 }, randomUUID());
  await provider.refund(plain, 4_900, randomUUID());
  await provider.refunds(plain.paymentId);

  const passedOn = await paid(accountId);
  const { feeId } = await provider.movesOf(passedOn);
  await provider.returnFee(passedOn, { feeId: feeId ?? '', cents: 10 }, randomUUID());
  await provider.movesOf(passedOn);
  const stray = await paid(accountId);
  const back = { reverse_transfer: true, refund_application_fee: true } as const;
  await provider.refund(stray, 5_000, randomUUID(), back);

  await provider.available(accountId);
  await provider.payOut(accountId, { cents: 2_500, dueOn: '2026-11-20' }, randomUUID());
  await provider.payoutsOf(accountId);
  const disputed = await paid();
  await stack.dashboard(`/intents/${disputed.paymentId}/dispute`);
  const now = Date.now() / 1_000;
  await stack.eventually(async () => (await provider.fees(0, null)).reports.length > 0, { what: 'fees' });
  await provider.events(['charge.dispute.created', 'refund.created'], 0, null);
  await provider.charges(new Date((now - 60) * 1_000), new Date((now + 60) * 1_000), 100);
  await ordersOf(stack).paid();

  // Every new call must be listed here.
  expect([...Object.keys(openProvider({ ...keys }))].filter((name) => name !== 'verify' && !asked.has(name))).toEqual(
    [],
  );
  expect(exchanges.filter(({ status }) => status !== 200)).toEqual([]);
  expect([...new Set(exchanges.flatMap(faultsOf))]).toEqual([]);
});

test('the objects in the provider’s events match Stripe’s description', async () => {
  const { data } = await stack.stripe.events.list({ limit: 100 });
  const faults = data.flatMap(({ type, data: { object } }) => {
    const kind = (object as { object: string }).object;
    const fault = faultOf(`object ${kind}`, { $ref: `#/components/schemas/${kind}` }, object, false);
    return fault ? [`${type}: ${fault}`] : [];
  });
  expect([...new Set(faults)]).toEqual([]);
  expect(data.length).toBeGreaterThan(20);
});

test.each([
  ['an unknown parameter', 'POST', '/v1/transfers', 'amount=1&currency=usd&destination=a&color=red'],
  ['an unknown one inside of a hash', 'POST', '/v1/accounts', 'settings[payouts][minimum]=2500'],
  ['a missing one', 'POST', '/v1/account_links', 'account=acct_1'],
  ['another value than those that are listed', 'POST', '/v1/account_links', 'account=acct_1&type=anything'],
  ['a number that is none', 'POST', '/v1/payouts', 'amount=all&currency=usd'],
  ['a call that was not recorded', 'POST', '/v1/topups', ''],
])('%s would be found', (_what, method, path, body) => {
  const exchange = { method, url: new URL(path, 'http://recorder'), body, status: 400, answer: {} };
  expect(faultsOf(exchange)).toHaveLength(1);
});
