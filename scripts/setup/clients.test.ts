import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { classOf, foldersWithClient, sign, staleClients, typesOf } from './clients.mjs';

const repository = join(import.meta.dirname, '..', '..');

test('the committed clients match their schemas and this version of Prisma', () => {
  expect(foldersWithClient(repository).length).toBeGreaterThan(3);
  expect(staleClients(repository, { types: false }), 'run `node scripts/setup.mjs --dev` and commit').toEqual([]);
});

test('a client is stale if its schema or Prisma changes, or if one of the client’s files is missing', () => {
  const root = mkdtempSync(join(tmpdir(), 'clients-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const put = (file: string, text: string) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const usePrisma = (prisma: string) =>
    put(join(root, 'package.json'), JSON.stringify({ devDependencies: { prisma } }));
  const folder = join('services', 'one');
  const schema = join(root, folder, 'prisma', 'schema.prisma');
  usePrisma('7.0.0');
  put(schema, 'generator client {\n}\n');
  put(join(root, 'services', 'without', 'prisma', 'schema.prisma'), 'model One {\n}\n');
  const stale = (types: boolean) => staleClients(root, { types });
  const generate = () => {
    put(classOf(root, folder), 'class\n');
    put(typesOf(root, folder), 'types\n');
    sign(root, folder);
  };
  expect(stale(false)).toEqual([folder]);
  generate();
  expect(stale(true)).toEqual([]);
  rmSync(typesOf(root, folder));
  expect(stale(false)).toEqual([]);
  expect(stale(true)).toEqual([folder]);
  generate();
  appendFileSync(schema, 'model One {\n}\n');
  expect(stale(false)).toEqual([folder]);
  generate();
  usePrisma('7.0.1');
  expect(stale(false)).toEqual([folder]);
});
