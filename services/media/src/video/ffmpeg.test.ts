import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { logger } from '@beltway/kit/logger';
import { openFfmpeg, type FfmpegOptions } from './ffmpeg.ts';

// Test doubles that behave as ffmpeg and ffprobe do with hostile files.

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'beltway-ffmpeg-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function program(name: string, script: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}
const log = logger('ffmpeg-test', 'silent');
const withPrograms = (options: Partial<FfmpegOptions>) =>
  openFfmpeg({ ffmpeg: join(folder, 'none'), ffprobe: join(folder, 'none'), log, ...options });
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'fine',
    (error: { code?: string }) => error.code,
  );

test('without the programs nothing is checked and no frame is made', async () => {
  const ffmpeg = withPrograms({});
  expect(await outcome(ffmpeg.check('/tmp/a', 'mp4'))).toBe('fine');
  expect(await ffmpeg.frameOf('/tmp/a', 'mp4')).toBeUndefined();
});

test('a file is read only as its checked type, only with the file protocol, and without our environment', async () => {
  process.env['SECRET_OF_THIS_TEST'] = 'secret';
  const seen = join(folder, 'seen');
  // Standard error is discarded and the program may not write files, so it prints its environment to standard output.
  const echo = await program('echo', 'echo "640,480"; echo "$@"; env; ulimit -v; ulimit -t');
  const ffmpeg = withPrograms({ ffmpeg: echo, ffprobe: echo });
  expect(await outcome(ffmpeg.check('/tmp/a', 'mp4'))).toBe('fine');
  const said = String(await ffmpeg.frameOf('/tmp/a', 'webm'));
  expect(said).toContain('-protocol_whitelist file -f matroska -i /tmp/a');
  expect(said).toContain('-nostdin');
  expect(said).not.toContain('secret');
  expect(said).toMatch(/\n2500000\n10\n$/);
  expect(String(await ffmpeg.frameOf('/tmp/a', 'mov'))).toContain('-f mov -i');
  const writing = await program('writing', `echo x > ${seen} && echo "640,480"`);
  expect(await outcome(withPrograms({ ffprobe: writing }).check('/tmp/a', 'mp4'))).toBe('video-broken');
  expect(await readFile(seen, 'utf8').catch(() => '')).toBe('');
});

test.each([
  ['refuses it', 'exit 1'],
  ['crashes', 'kill -SEGV $$'],
  ['hangs', 'while :; do sleep 1; done'],
  ['says it has no pictures', 'exit 0'],
  ['says more than is read', 'yes 640,480'],
  ['says it is far too large', 'echo 100000,100000'],
  ['is short of memory', 'kill -KILL $$'],
])('a video is refused if ffprobe ends like this: it %s', async (name, script) => {
  const ffprobe = await program(`probe-${name.replaceAll(' ', '-')}`, script);
  expect(await outcome(withPrograms({ ffprobe, runMs: 500 }).check('/tmp/a', 'mp4'))).toBe('video-broken');
});

test.each([
  ['refuses it', 'exit 1'],
  ['crashes', 'kill -SEGV $$'],
  ['hangs', 'while :; do sleep 1; done'],
  ['says nothing', 'exit 0'],
  ['says more than is read', 'yes'],
])('a video has no frame as thumbnail if ffmpeg ends like this: it %s', async (name, script) => {
  const ffmpeg = await program(`frame-${name.replaceAll(' ', '-')}`, script);
  expect(await withPrograms({ ffmpeg, runMs: 500 }).frameOf('/tmp/a', 'mp4')).toBeUndefined();
});

test('takes the first frame of a video shorter than a second', async () => {
  const ffmpeg = await program('short', 'case "$*" in *"-ss 0 "*) echo picture;; esac');
  expect(String(await withPrograms({ ffmpeg }).frameOf('/tmp/a', 'mp4'))).toBe('picture\n');
});
