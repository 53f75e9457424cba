import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { call, whenHeard } from './calls.ts';

let server: Server | undefined;
afterEach(() => server?.close());

/** A service that answers with these statuses in turn, and with 200 afterwards. */
async function answering(...statuses: number[]): Promise<string> {
  server = createServer((_request, response) => {
    response.statusCode = statuses.shift() ?? 200;
    response.end('{}');
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([404, 503])('a refusal with %i because a message is in transit is retried', async (status) => {
  const base = await answering(status, status);
  await expect(whenHeard(() => call(base, '/', {}))).resolves.toEqual({});
});

test('a permanent refusal is not retried', async () => {
  const base = await answering(400);
  await expect(whenHeard(() => call(base, '/', {}))).rejects.toThrow('answered 400');
});
