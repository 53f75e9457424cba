import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { eventually } from '../testing/testing.ts';
import { bufferedStdout, logger } from './logger.ts';

const linesIn = (written: string[]) => written.map((text) => text.trim().split('\n').length);

/** Replaces the file. Each entry is one system call. */
function fakeOut() {
  const written: string[] = [];
  const out = {
    write: (text: string) => (written.push(text), true),
    flushSync: () => expect.unreachable('it would wait for the disk'),
  };
  return { written, out: out as unknown as ReturnType<typeof pino.destination> };
}

test('lines are written together within a moment, a warning immediately', async () => {
  const { written, out } = fakeOut();
  const log = pino({}, bufferedStdout(out));
  for (let n = 0; n < 3; n++) log.info({ n }, 'request');
  expect(written).toEqual([]);
  log.warn('look here');
  expect(linesIn(written)).toEqual([4]);
  log.info('later');
  await eventually(() => written.length === 2);
});

test('each line is JSON with its time in UTC', () => {
  const { written, out } = fakeOut();
  logger('gateway', 'info', bufferedStdout(out)).warn('a line\n{"level":60}');
  const lines = written.join('').trim().split('\n');
  expect(lines).toHaveLength(1);
  const line = JSON.parse(lines[0]!) as { name: string; time: string | number; msg: string };
  expect(line).toMatchObject({ name: 'gateway', msg: 'a line\n{"level":60}' });
  expect(String(line.time)).toMatch(/^(?:\d{13}|.*Z)$/);
  expect(Math.abs(new Date(line.time).getTime() - Date.now())).toBeLessThan(60_000);
});

test('the last lines of a process are written when it ends, normally or by an error', async () => {
  const say = (end: string) =>
    promisify(execFile)(process.execPath, [
      '--input-type=module-typescript',
      '--eval',
      `import { logger } from ${JSON.stringify(new URL('logger.ts', import.meta.url).href)};
       logger('one').info('the last words');
       ${end}`,
    ]).catch((error: { stdout: string }) => error);
  for (const end of ['process.exit(3)', `setImmediate(() => { throw new Error('broken'); })`, ''])
    expect((await say(end)).stdout).toContain('the last words');
});

test('no secret in an address, a connection or a row reaches the log, whatever object contains it', () => {
  const { written, out } = fakeOut();
  const log = logger('test', 'debug', bufferedStdout(out));
  const secret = 'Zx81SecretOfTheTest';
  // If a connection of pg's pool breaks while idle, its error contains the key that cancels the connection's
  // statements.
  const broken = Object.assign(new Error('terminating connection'), {
    code: '57P01',
    detail: `Key (email)=(${secret}) already exists.`,
    client: { processID: 4711, secretKey: 1_234_567, connectionParameters: { password: secret } },
  });
  const url = `http://127.0.0.1:3000/ticket-success?orderId=1&key=${secret}#key=${secret}`;
  log.warn({ err: broken }, 'an idle database connection broke');
  log.warn({ err: new TypeError('fetch failed', { cause: new Error(`GET ${url} failed`) }), path: url }, url);
  log.warn({ err: new AggregateError([new Error(url), broken], 'all failed') }, 'no answer');
  log.warn({ err: Object.assign(new Error('Invalid URL'), { input: url, request: { headers: { secret } } }) }, 'bad');
  log.warn({ err: { client: broken.client } }, 'thrown that is no error');
  log.warn({ err: new Error(`connect postgres://beltway:${secret}@db:5432/ticketing`) }, 'not reached');
  const text = written.join('');
  expect(text).not.toMatch(new RegExp(`${secret}|1234567`));
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { level: number }).level),
  ).toEqual(Array(6).fill(40));
  expect(text).toContain('/ticket-success?…');
  expect(text).toContain('"code":"57P01"');
  expect(text).toContain('postgres://…@db:5432/ticketing');
});
