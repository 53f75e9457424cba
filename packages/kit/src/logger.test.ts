import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { eventually } from './testing.ts';
import { gathering } from './logger.ts';

const linesIn = (written: string[]) => written.map((text) => text.trim().split('\n').length);

/** In place of the file: what would be one system call is one entry. */
function fakeOut() {
  const written: string[] = [];
  const out = {
    write: (text: string) => (written.push(text), true),
    flushSync: () => expect.unreachable('it would wait for the disk'),
  };
  return { written, out: out as unknown as ReturnType<typeof pino.destination> };
}

test('lines go out together within a moment, and a warning at once', async () => {
  const { written, out } = fakeOut();
  const log = pino({}, gathering(out));
  for (let n = 0; n < 3; n++) log.info({ n }, 'request');
  expect(written).toEqual([]);
  log.warn('look here');
  expect(linesIn(written)).toEqual([4]);
  log.info('later');
  await eventually(() => written.length === 2);
});

test('what a process logged last is written when it ends, by itself or by an error', async () => {
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
