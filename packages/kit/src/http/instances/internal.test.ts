import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type NextFunction, type Request, type Response } from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { internalClient, internalOnly } from './internal.ts';
import type { Secrets } from '../../secrets.ts';
import { isTransient } from '../../postgres/transient.ts';
import { asProblem } from '../problems.ts';

const answers: Record<string, [status: number, body: string]> = {
  '/away': [503, '{"code":"unavailable","detail":"later"}'],
  '/proxy': [502, '<html>Bad gateway</html>'],
  '/refused': [422, '{"code":"payment-changed","detail":"no"}'],
  '/html': [200, '<html></html>'],
};
const server = createServer((req, res) => {
  if (req.url === '/slow') return;
  const [status, body] = answers[req.url ?? ''] ?? [404, ''];
  res.writeHead(status).end(body);
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => void (server.closeAllConnections(), server.close()));

const failure = (path: string) =>
  internalClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'token', 200)
    .get(path)
    .then(
      () => undefined,
      (error: unknown) => error,
    );

test('a service that is down, slow, or behind a broken proxy is a transient error', async () => {
  for (const path of ['/away', '/proxy', '/slow']) expect(isTransient(await failure(path)), path).toBe(true);
  expect(asProblem(await failure('/away'))).toMatchObject({ status: 503, code: 'unavailable', retryAfter: 2 });
  expect(asProblem(await failure('/slow'))).toMatchObject({ status: 503 });
});

test('a refusal by a service keeps its code and is not transient', async () => {
  const refused = await failure('/refused');
  expect(isTransient(refused)).toBe(false);
  expect(asProblem(refused)).toMatchObject({ status: 422, code: 'payment-changed' });
  expect(isTransient(await failure('/html'))).toBe(false);
});

test('during rotation, each generation sends its first token and accepts its neighbors’ tokens', async () => {
  const tokens: Secrets[] = ['old', ['old', 'new'], ['new', 'old'], ['new']];
  const asks = async (shown: Secrets, accepted: Secrets) => {
    const app = express().get('/x', internalOnly(accepted), (_req, res) => void res.json('in'));
    app.use((error: Error, _req: Request, res: Response, _next: NextFunction) => {
      const { status = 500 } = asProblem(error);
      res.status(status).json({ code: 'refused' });
    });
    const one = app.listen(0, '127.0.0.1');
    await once(one, 'listening');
    try {
      return await internalClient(`http://127.0.0.1:${(one.address() as AddressInfo).port}`, shown)
        .get('/x')
        .catch((error: unknown) => asProblem(error).status);
    } finally {
      one.closeAllConnections();
      one.close();
    }
  };
  for (const [step, of] of tokens.entries())
    for (const near of [step - 1, step, step + 1]) {
      const other = tokens[near];
      if (other) expect([await asks(of, other), await asks(other, of)], `${step} and ${near}`).toEqual(['in', 'in']);
    }
  expect(await asks('old', ['new'])).toBe(403);
  expect(await asks('', ['new'])).toBe(403);
});
