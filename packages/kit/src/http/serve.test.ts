import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { freePort } from '../testing/free-ports.ts';
import { eventually } from '../testing/testing.ts';

const entry = new URL('../../test/serving.ts', import.meta.url).pathname;
const LAME_DUCK_MS = 3_000;
const closing: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function start(port: number, lameDuckMs = LAME_DUCK_MS, shared = '') {
  const child: ChildProcess = fork(entry, [String(port), String(lameDuckMs), shared], { execArgv: [] });
  const said: string[] = [];
  child.on('message', (message) => said.push(String(message)));
  closing.push(() => child.kill('SIGKILL'));
  await eventually(() => said.includes('listening'), { what: 'a service that listens' });
  return { child, said, ended: once(child, 'exit') };
}

/** A client with one connection, which it keeps open as long as the server allows. */
function client(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  closing.push(() => agent.destroy());
  return async (path: string) => {
    const asked = request({ port, host: '127.0.0.1', path, agent }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) text += String(chunk);
    const { statusCode: status, headers } = answer;
    return { status, text, connection: headers.connection, reused: asked.reusedSocket };
  };
}

test('a stopping instance is not ready, still serves requests, closes their connections, then exits', async () => {
  const port = await freePort();
  const { child, said, ended } = await start(port);
  const [kept, slow] = [client(port), client(port)];
  expect(await kept('/health/ready')).toMatchObject({ status: 200, connection: 'keep-alive' });
  const underWay = slow('/slow');
  await eventually(() => said.includes('slow'));

  child.kill('SIGTERM');
  await eventually(async () => (await client(port)('/health/ready')).status === 503);
  expect(await kept('/who')).toMatchObject({ status: 200, connection: 'close', reused: true });
  expect(await kept('/who')).toMatchObject({ status: 200, connection: 'close', reused: false });
  expect(said).not.toContain('drained');

  await eventually(() => said.includes('drained'), { what: 'an end of accepting' });
  await expect(client(port)('/who')).rejects.toThrow('ECONNREFUSED');
  expect(said).not.toContain('closed');
  child.send('finish');
  expect(await underWay).toMatchObject({ status: 200, text: '"finished"' });
  expect(await ended).toEqual([0, null]);
  expect(said.at(-1)).toBe('closed');
});

test('without a lame-duck time, an instance stops accepting immediately', async () => {
  const port = await freePort();
  const { child, said, ended } = await start(port, 0);
  child.kill('SIGTERM');
  await ended;
  expect(said).toEqual(['listening', 'drained', 'closed']);
});

test('a request that had arrived on a kept-alive connection is answered, however late the event loop is', async () => {
  const port = await freePort();
  const { child, said, ended } = await start(port, 0);
  const kept = client(port);
  await kept('/who');
  const busy = client(port)('/busy');
  await eventually(() => said.includes('busy'));
  // The child process sees the closed IPC channel before it sees the next request.
  child.disconnect();
  expect(await kept('/who')).toMatchObject({ status: 200, connection: 'close', reused: true });
  expect((await busy).status).toBe(200);
  await ended;
});

test('a shared port is left immediately, and its kept-alive connections are still served', async () => {
  if (process.platform !== 'linux') return; // only Linux can share ports, so the launcher rejects it elsewhere
  const port = await freePort();
  const [one, other] = [await start(port, 60_000, 'shared'), await start(port, 60_000, 'shared')];
  const pids = async () =>
    new Set(await Promise.all(Array.from({ length: 30 }, async () => Number((await client(port)('/who')).text))));
  expect(await pids()).toEqual(new Set([one.child.pid, other.child.pid]));
  let kept = client(port);
  while (Number((await kept('/who')).text) !== one.child.pid) kept = client(port);

  one.child.kill('SIGTERM');
  await eventually(async () => !(await pids()).has(one.child.pid!), { what: 'new connections to go to the other' });
  expect(await kept('/who')).toMatchObject({ text: String(one.child.pid), connection: 'close', reused: true });
  expect(Number((await kept('/who')).text)).toBe(other.child.pid);
});

test('a client that connected to a shared port before its instance left is answered', async () => {
  if (process.platform !== 'linux') return;
  const port = await freePort();
  const [one] = [await start(port, 60_000, 'shared'), await start(port, 60_000, 'shared')];
  let kept = client(port);
  while (Number((await kept('/who')).text) !== one.child.pid) kept = client(port);

  const busy = kept('/busy');
  await eventually(() => one.said.includes('busy'));
  const answers = Array.from({ length: 40 }, () => client(port)('/who'));
  one.child.kill('SIGTERM');
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect((await busy).status).toBe(200);
});
