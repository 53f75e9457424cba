import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { folderObjects } from '../src/objects/folder.ts';
import type { Objects } from '../src/objects/objects.ts';
import { objectsContract } from './objects-contract.ts';

let root: string;
let objects: Objects;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'beltway-objects-'));
  objects = folderObjects(join(root, 'objects'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe('objects in a folder', () => {
  objectsContract(() => objects);

  test('an object is the file of its key, and no temporary files are left', async () => {
    await objects.put('a/b', Buffer.from('whole'));
    expect(await readFile(join(root, 'objects/a/b'), 'utf8')).toBe('whole');
    expect(await readdir(join(root, 'objects/.incoming'))).toEqual([]);
  });
});
