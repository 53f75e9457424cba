import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { openConnection, parse, requestOf } from './connection.ts';

const cleanups: Array<() => unknown> = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean();
});

async function serve(handler: Parameters<typeof createServer>[1]): Promise<number> {
  const server = createServer({}, handler!);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

test('reads responses with a length, in chunks and without a body, in sequence on one connection', async () => {
  const remotes = new Set<number | undefined>();
  const port = await serve((req, res) => {
    remotes.add(req.socket.remotePort);
    if (req.url === '/none') return void res.writeHead(204).end();
    if (req.url === '/chunks') {
      res.write('one ');
      return void setImmediate(() => res.end('two'));
    }
    let body = '';
    req
      .on('data', (chunk) => (body += chunk))
      .on('end', () => res.writeHead(201, { 'content-length': body.length }).end(body));
  });
  const connection = openConnection(port);
  cleanups.push(() => connection.close());
  const first = await connection.send(requestOf('POST', '/echo', ['content-type: text/plain'], 'hello'));
  expect([first.status, String(first.body)]).toEqual([201, 'hello']);
  expect((await connection.send(requestOf('GET', '/none', []))).status).toBe(204);
  expect(String((await connection.send(requestOf('GET', '/chunks', []))).body)).toBe('one two');
  expect(remotes.size).toBe(1);
});

test('reconnects after the server closed the connection, and rejects a truncated response', async () => {
  let requests = 0;
  const port = await serve((req, res) => {
    if (++requests === 2) return void req.socket.destroy();
    res.writeHead(200, { 'content-length': 2, connection: 'close' }).end('ok');
  });
  const connection = openConnection(port);
  cleanups.push(() => connection.close());
  expect((await connection.send(requestOf('GET', '/', []))).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await expect(connection.send(requestOf('GET', '/', []))).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect((await connection.send(requestOf('GET', '/', []))).status).toBe(200);
});

test('a response counts only when it is complete', () => {
  const whole = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcdHTTP');
  expect(parse(whole.subarray(0, 41 - 4))).toBeUndefined();
  expect(parse(whole)?.answer.body.toString()).toBe('abcd');
  expect(parse(whole)?.bytes).toBe(whole.length - 4);
});
