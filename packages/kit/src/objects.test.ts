import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folderObjects } from './objects.ts';
import type { Objects } from './objects.ts';

let root: string;
let objects: Objects;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'beltway-objects-'));
  objects = folderObjects(join(root, 'objects'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

test('gives back what was put', async () => {
  await objects.put('images/ab/abc-large.webp', Buffer.from([1, 2, 3]));
  expect(await objects.get('images/ab/abc-large.webp')).toEqual(Buffer.from([1, 2, 3]));
  expect(await objects.exists('images/ab/abc-large.webp')).toBe(true);
});

test('answers nothing for an object that is not there', async () => {
  expect(await objects.get('images/nothing')).toBeNull();
  expect(await objects.exists('images/nothing')).toBe(false);
});

test('replaces an object atomically, and leaves no temporary files', async () => {
  const bodies = Array.from({ length: 20 }, (_, at) => Buffer.alloc(200_000, at));
  await Promise.all(bodies.map((body) => objects.put('a/b', body)));
  const kept = await readFile(join(root, 'objects/a/b'));
  expect(kept.every((byte) => byte === kept[0])).toBe(true);
  expect(await readdir(join(root, 'objects/.incoming'))).toEqual([]);
});

test.for([
  '',
  '/',
  '..',
  '../a',
  'a/../b',
  'a/./b',
  '/etc/passwd',
  'a//b',
  'a/',
  '.incoming/x',
  'a\\b',
  'a\0b',
  'A',
  'a b',
  'a'.repeat(301),
])('refuses the key %j', async (key) => {
  await expect(objects.put(key, Buffer.from('x'))).rejects.toThrow(TypeError);
  await expect(objects.get(key)).rejects.toThrow(TypeError);
  await expect(objects.exists(key)).rejects.toThrow(TypeError);
});
