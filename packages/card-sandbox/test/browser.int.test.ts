import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { card, KEYS, startSandbox, the, type Sandbox } from './harness.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const create = () =>
  sandbox.stripe().paymentIntents.create({
    amount: 2500,
    currency: 'usd',
    metadata: { orderId: 'secret-order' },
    description: 'Go-Go <b>night</b>',
  });
const confirm = (intent: { id: string; client_secret: string | null }, form: Record<string, string>) =>
  sandbox.browser(`/payment_intents/${intent.id}/confirm`, {
    client_secret: intent.client_secret ?? '',
    use_stripe_sdk: 'true',
    return_url: 'http://localhost:3000/done',
    ...form,
  });
const answerForm = (source: string, outcome: string, accept = 'application/json') =>
  fetch(`${sandbox.origin()}/sandbox/stripe/3ds/${source}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept },
    body: new URLSearchParams({ outcome }),
  });

describe('a browser, as Stripe.js', () => {
  test('confirms with the client secret and gets only public fields', async () => {
    const intent = await create();
    const { status, body } = await confirm(intent, card('4242 4242 4242 4242'));
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: intent.id, status: 'succeeded', client_secret: intent.client_secret });
    for (const hidden of ['metadata', 'customer', 'latest_charge', 'amount_received'])
      expect(body).not.toHaveProperty(hidden);
    const read = await sandbox.browser(
      `/payment_intents/${intent.id}`,
      { client_secret: intent.client_secret ?? '' },
      'GET',
    );
    expect(read.body).toMatchObject({ status: 'succeeded' });
    expect(read.body).not.toHaveProperty('metadata');
  });

  test('is refused without the secret, with a wrong secret, and for server-only calls', async () => {
    const [mine, other] = [await create(), await create()];
    expect((await sandbox.browser(`/payment_intents/${mine.id}`, {}, 'GET')).status).toBe(400);
    expect(
      (await sandbox.browser(`/payment_intents/${mine.id}`, { client_secret: other.client_secret ?? '' }, 'GET'))
        .status,
    ).toBe(400);
    expect((await confirm({ id: mine.id, client_secret: other.client_secret }, card('4242424242424242'))).status).toBe(
      400,
    );
    expect((await sandbox.browser(`/payment_intents/${mine.id}/cancel`, {})).status).toBe(401);
    expect((await sandbox.browser('/refunds', { payment_intent: mine.id })).status).toBe(401);
    expect((await sandbox.stripe().paymentIntents.retrieve(mine.id)).status).toBe('requires_payment_method');
  });

  test.each([
    ['a wrong check digit', '4242424242424241', {}, 'incorrect_number'],
    ['no number', 'hello', {}, 'invalid_number'],
    ['a date gone by', '4242424242424242', { 'payment_method_data[card][exp_year]': '2020' }, 'invalid_expiry_year'],
    ['no month', '4242424242424242', { 'payment_method_data[card][exp_month]': '13' }, 'invalid_expiry_month'],
    ['no code', '4242424242424242', { 'payment_method_data[card][cvc]': '' }, 'invalid_cvc'],
    ['three digits on American Express', '378282246310005', {}, 'invalid_cvc'],
    ['a real card', '4111111111111111', {}, 'card_declined'],
    ['an expired card', '4000000000000069', {}, 'expired_card'],
    ['a wrong code', '4000000000000127', {}, 'incorrect_cvc'],
    ['a declined card', '4000000000000002', {}, 'card_declined'],
    ['too little money', '4000000000009995', {}, 'card_declined'],
  ])('is refused %s', async (_name, number, more, code) => {
    const intent = await create();
    const { status, body } = await confirm(intent, card(number, more));
    expect(status).toBe(402);
    expect(body.error).toMatchObject({ type: 'card_error', code });
    expect(body.error?.message).toMatch(/card|money/i);
    expect((await confirm(intent, card('4242424242424242'))).body.status).toBe('succeeded');
  });

  test('makes a payment method and pays with it', async () => {
    const form = Object.fromEntries(
      Object.entries(card('5555555555554444')).map(([name, value]) => [
        name.replace(/^payment_method_data\[(\w+)\]/, '$1'),
        value,
      ]),
    );
    const { body: method } = await sandbox.browser('/payment_methods', form);
    expect(method).toMatchObject({ object: 'payment_method', card: { brand: 'mastercard', last4: '4444' } });
    expect((await confirm(await create(), { payment_method: method.id })).body.status).toBe('succeeded');
  });

  test('leaves no card number in the database', async () => {
    await confirm(await create(), card('4242424242424242'));
    const { rows } = await sandbox
      .pool()
      .query(
        `select 1 from objects where body::text ~ '4242424242424242' or hidden::text ~ '4242424242424242' union all select 1 from events where body::text ~ '4242424242424242' union all select 1 from idempotency_keys where body::text ~ '4242424242424242'`,
      );
    expect(rows).toHaveLength(0);
  });
});

describe('3-D Secure', () => {
  const ask = async (number = '4000002500003155') => {
    const intent = await create();
    const { body } = await confirm(intent, card(number));
    expect(body).toMatchObject({ status: 'requires_action', next_action: { type: 'use_stripe_sdk' } });
    return { intent, source: body.next_action.use_stripe_sdk.source };
  };
  const statusOf = async (id: string) => sandbox.stripe().paymentIntents.retrieve(id);

  test('shows a page that only our own site may display in a frame, with all texts escaped', async () => {
    const { source } = await ask();
    const res = await fetch(`${sandbox.origin()}/sandbox/stripe/3ds/${source}`);
    expect(res.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(res.headers.get('content-security-policy')).toMatch(/script-src 'self'.*frame-ancestors 'self'/);
    const html = await res.text();
    expect(html).toContain('$25.00');
    expect(html).toContain('Go-Go &#60;b&#62;night&#60;/b&#62;');
    expect(html).not.toMatch(/<script>|style=|onclick/);
    for (const part of html.match(/\.\.\/3ds-assets\/[\w.]+/g) ?? [])
      expect((await fetch(new URL(part, `${sandbox.origin()}/sandbox/stripe/3ds/x`))).status).toBe(200);
  });

  test('charges the card when completed; a second answer changes nothing', async () => {
    const { intent, source } = await ask();
    expect(await (await answerForm(source, 'complete')).json()).toEqual({ source, status: 'succeeded' });
    expect(await (await answerForm(source, 'fail')).json()).toEqual({ source, status: 'succeeded' });
    expect(await statusOf(intent.id)).toMatchObject({ status: 'succeeded', next_action: null });
    expect((await sandbox.stripe().charges.list({ payment_intent: intent.id })).data).toMatchObject([
      { payment_method_details: { card: { three_d_secure: { result: 'authenticated' } } } },
    ]);
  });

  test('leaves the intent open, with the reason, if the authentication fails', async () => {
    const { intent, source } = await ask();
    expect(await (await answerForm(source, 'fail')).json()).toEqual({ source, status: 'failed' });
    expect(await statusOf(intent.id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'payment_intent_authentication_failure' },
    });
    expect(
      (await sandbox.stripe().events.list({ type: 'payment_intent.payment_failed', limit: 1 })).data[0]?.data.object,
    ).toMatchObject({ id: intent.id });
  });

  test('fails when the buyer closes the challenge', async () => {
    const { intent, source } = await ask();
    const { body } = await sandbox.browser(`/payment_intents/${intent.id}/source_cancel`, {
      client_secret: intent.client_secret ?? '',
      source,
    });
    expect(body).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'payment_intent_authentication_failure' },
    });
  });

  test('may succeed although the card is declined afterwards', async () => {
    const { intent, source } = await ask('4000008260003178');
    await answerForm(source, 'complete');
    expect(await statusOf(intent.id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { decline_code: 'insufficient_funds' },
    });
  });

  test('has no effect after a new payment attempt', async () => {
    const { intent, source } = await ask();
    const second = await confirm(intent, card('4000002760003184'));
    await answerForm(source, 'complete');
    expect((await statusOf(intent.id)).status).toBe('requires_action');
    await answerForm(second.body.next_action.use_stripe_sdk.source, 'complete');
    expect((await statusOf(intent.id)).status).toBe('succeeded');
    expect((await answerForm('src_nobody', 'complete')).status).toBe(404);
  });

  test('charges nothing when the intent was canceled in the meantime', async () => {
    const { intent, source } = await ask();
    await sandbox.stripe().paymentIntents.cancel(intent.id);
    await answerForm(source, 'complete');
    expect((await statusOf(intent.id)).status).toBe('canceled');
  });

  test('returns to the shop with the result when opened by redirect', async () => {
    const { id, client_secret } = await create();
    const asked = await sandbox.stripe().paymentIntents.confirm(id, {
      payment_method: 'pm_card_authenticationRequired',
      return_url: 'http://localhost:3000/done?x=1',
    });
    const url = asked.next_action?.redirect_to_url?.url ?? '';
    expect(url).toMatch(new RegExp(`^${sandbox.origin()}/sandbox/stripe/3ds/src_`));
    const res = await answerForm(url.split('/').pop() ?? '', 'complete', 'text/html');
    expect(res.status).toBe(303);
    expect(res.headers.get('location')).toBe(
      `http://localhost:3000/done?x=1&payment_intent=${id}&payment_intent_client_secret=${client_secret}&redirect_status=succeeded`,
    );
  });
});

describe('/dev/payments', () => {
  test('is a page without inline code that lists cards and payments', async () => {
    const { id } = await create();
    const res = await fetch(`${sandbox.origin()}/dev/payments`);
    const html = await res.text();
    expect(res.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(html).toContain('4242 4242 4242 4242');
    expect(html).toContain(id);
    expect(html).toContain('Go-Go &#60;b&#62;night&#60;/b&#62;');
    expect(html).not.toMatch(/<script>|<style|style=|onclick|_secret_/);
    for (const name of ['app.js', 'app.css'])
      expect((await fetch(`${sandbox.origin()}/dev/payments/${name}`)).status).toBe(200);
  });

  test('returns the history as JSON, without secrets', async () => {
    const intent = await create();
    await confirm(intent, card('4000000000009995'));
    const { body } = await sandbox.dev('GET', '/state');
    expect(body.intents[0]).toMatchObject({
      id: intent.id,
      amount: 2500,
      error: 'insufficient_funds',
      card: 'visa ···· 9995',
      metadata: { orderId: 'secret-order' },
    });
    expect(the(body.intents[0]).events.map((event) => event.type)).toEqual([
      'payment_intent.created',
      'charge.failed',
      'payment_intent.payment_failed',
    ]);
    expect(JSON.stringify(body)).not.toContain('_secret_');
    expect(JSON.stringify(body)).not.toContain(KEYS.webhook);
  });

  test.each([
    [
      'a form of another site',
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'mode=lost' },
      415,
    ],
    ['a simple request of another site', { headers: { 'content-type': 'text/plain' }, body: '{"mode":"lost"}' }, 415],
    [
      'a foreign origin',
      { headers: { 'content-type': 'application/json', origin: 'https://evil.test' }, body: '{"mode":"lost"}' },
      403,
    ],
    [
      'a browser that reports cross-site',
      { headers: { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' }, body: '{"mode":"lost"}' },
      403,
    ],
    ['an unknown mode', { headers: { 'content-type': 'application/json' }, body: '{"mode":"gone"}' }, 400],
  ])('refuses %s', async (_name, init, status) => {
    expect((await fetch(`${sandbox.origin()}/dev/payments/webhooks`, { method: 'PUT', ...init })).status).toBe(status);
    expect((await sandbox.dev('GET', '/state')).body.webhooks.mode).toBe('normal');
  });

  test('refuses pages after DNS rebinding, and remote clients through the gateway', async () => {
    const { hostname, port } = new URL(sandbox.origin());
    const ask = (method: string, headers: Record<string, string>) =>
      new Promise<number>((resolve, reject) => {
        const path = method === 'GET' ? '/dev/payments/state' : '/dev/payments/webhooks';
        request({ hostname, port, method, path, headers: { 'content-type': 'application/json', ...headers } })
          .on('response', (response) => (response.resume(), resolve(response.statusCode!)))
          .on('error', reject)
          .end(method === 'GET' ? undefined : '{"mode":"lost"}');
      });
    for (const method of ['GET', 'PUT']) {
      expect(await ask(method, { host: `evil.test:${port}` })).toBe(403);
      expect(await ask(method, { host: `localhost:${port}`, 'x-forwarded-for': '192.168.1.7' })).toBe(403);
    }
    expect((await sandbox.dev('GET', '/state')).body.webhooks.mode).toBe('normal');
    expect(await ask('GET', { host: `localhost:${port}` })).toBe(200);
  });
});
