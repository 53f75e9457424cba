import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { FirstScreenOrder } from '@beltway/contracts/common/first-screen';
import { anEvent } from '@beltway/contracts/testing/events';
import { logger } from '@beltway/kit/logger';
import { afterEach, expect, test, vi } from 'vitest';
import { firstScreenRenderer, type FirstScreenLimits } from './first-screens.ts';

const undo: Array<() => void> = [];
afterEach(() => undo.splice(0).forEach((work) => work()));

/** A build whose screens show the event's title. Some titles make it hang, throw or exit. */
const CODE = `
  export const prepare = async () => undefined;
  const all = [];
  export function render({ event: { title } }) {
    if (title === 'hangs') for (;;);
    if (title === 'throws') throw new Error('no such place');
    if (title === 'ends') process.exit(1);
    if (title === 'grows') for (;;) all.push(new Array(1_000).fill(title));
    if (title === 'process') return String(process.pid);
    if (title === 'environment') return Object.keys(process.env).join();
    return '<p>' + title + '</p>';
  }`;

function aRenderer(change: Partial<FirstScreenLimits> = {}, code: string | null = CODE) {
  const folder = mkdtempSync(join(tmpdir(), 'beltway-screens-'));
  mkdirSync(join(folder, '.gateway'));
  const write = (text: string) => writeFileSync(join(folder, '.gateway', 'first-screens.js'), text);
  if (code !== null) write(code);
  const log = logger('gateway', 'silent');
  const warn = vi.spyOn(log, 'warn');
  const renderer = firstScreenRenderer(folder, log, change);
  undo.push(
    () => renderer.close(),
    () => rmSync(folder, { recursive: true }),
  );
  return {
    write,
    warn,
    close: renderer.close,
    render: (title: string, build = 1) => renderer.render(anOrder(title), build),
  };
}
const anOrder = (title: string): FirstScreenOrder => ({
  screen: 'event',
  language: 'en',
  now: 0,
  event: anEvent({ title }),
});
const htmlOf = (title: string) => ({ html: `<p>${title}</p>` });

test('renders orders one after the other, in one process without environment variables', async () => {
  const { render } = aRenderer();
  expect(await Promise.all(['one', 'two'].map((title) => render(title)))).toEqual([htmlOf('one'), htmlOf('two')]);
  expect(await render('process')).toEqual(await render('process'));
  expect(await render('environment')).toEqual({ html: '' });
});

test.each(['hangs', 'ends', 'grows'])(
  'a render that %s ends only its own process: the next orders get a new one',
  async (title) => {
    const { render, warn } = aRenderer({ renderMs: title === 'grows' ? 30_000 : 3_000, megabytes: 16 });
    const before = await render('process');
    const answers = await Promise.all([title, 'process', 'two'].map((one) => render(one)));
    expect(answers).toEqual(['failed', { html: expect.stringMatching(/^\d+$/) }, htmlOf('two')]);
    expect(answers[1]).not.toEqual(before);
    expect(warn).toHaveBeenCalledOnce();
  },
);

test('a render that throws fails alone: the process continues, and the log line has no personal texts', async () => {
  const { render, warn } = aRenderer();
  const before = await render('process');
  expect(await render('throws')).toBe('failed');
  expect(await render('process')).toEqual(before);
  expect(JSON.stringify(warn.mock.calls)).toContain('no such place');
  expect(JSON.stringify(warn.mock.calls)).not.toContain('throws');
});

test('after repeated failures the pause before a new process grows, and no request waits for the pause', async () => {
  const { render } = aRenderer({ renderMs: 2_000, pausesMs: [400, 400] });
  await render('one');
  expect(await Promise.all(['hangs', 'hangs', 'three'].map((title) => render(title)))).toEqual([
    'failed',
    'failed',
    'busy',
  ]);
  expect(await render('four')).toBe('busy');
  await expect.poll(() => render('five')).toEqual(htmlOf('five'));
});

test('orders beyond the queue limit are refused immediately', async () => {
  const { render } = aRenderer({ waiting: 5 });
  const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => render(String(at))));
  expect(answers.slice(0, 5)).toEqual([0, 1, 2, 3, 4].map((at) => htmlOf(String(at))));
  expect(new Set(answers.slice(5))).toEqual(new Set(['busy']));
  expect(await render('later')).toEqual(htmlOf('later'));
});

test('the process ends when it has no work, and is started again', async () => {
  const { render, warn } = aRenderer({ restMs: 100 });
  const before = await render('process');
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(await render('process')).not.toEqual(before);
  expect(warn).not.toHaveBeenCalled();
});

test.each([
  ['does not exist', null],
  ['does not start', 'throw new Error("no");'],
  ['never becomes ready', 'await new Promise(() => setInterval(() => undefined, 1_000));'],
])('when the code %s there is no first screen until a new build', async (_what, code) => {
  const { render, write } = aRenderer({ startMs: 1_000, pausesMs: [200, 200] }, code);
  expect(await render('one')).toBe('busy');
  write(CODE);
  await expect.poll(() => render('two', 2)).toEqual(htmlOf('two'));
});

test('another build of the frontend is rendered with its own code', async () => {
  const { render, write } = aRenderer();
  expect(await render('one')).toEqual(htmlOf('one'));
  write(CODE.replaceAll('<p>', '<b>'));
  expect(await Promise.all([render('one', 1), render('two', 2), render('three', 2)])).toEqual([
    htmlOf('one'),
    { html: '<b>two</p>' },
    { html: '<b>three</p>' },
  ]);
});

test('after the renderer is closed no request waits for it', async () => {
  const { render, close } = aRenderer();
  const waiting = ['hangs', 'two'].map((title) => render(title));
  close();
  expect(await Promise.all(waiting)).toEqual(expect.arrayContaining(['busy']));
  expect(await render('three')).toBe('busy');
});

test('the process ends when the gateway ends, for whatever reason', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'beltway-screens-'));
  undo.push(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'screens.mjs'), CODE);
  const program = fileURLToPath(new URL('./first-screens-process.ts', import.meta.url));
  const child = fork(program, [pathToFileURL(join(folder, 'screens.mjs')).href]);
  expect(await once(child, 'message')).toEqual(['ready', undefined]);
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});
