import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const services = globSync('services/*/README.md', { cwd: root }).map((path) => dirname(path));

const sourcesOf = (service: string): string[] =>
  globSync(`${service}/src/**/*.ts`, { cwd: root, exclude: (path) => path === 'generated' }).filter(
    (path) => !path.endsWith('.test.ts'),
  );

/** The folder of `src` that a file is in; undefined for files directly in `src`, which connect the folders. */
function folderOf(service: string, path: string): string | undefined {
  const [folder, ...rest] = relative(join(service, 'src'), path).split(sep);
  return rest.length > 0 && folder !== 'generated' ? folder : undefined;
}

/** Each folder of a service, with the folders that its files import. */
function importsOf(service: string): Record<string, string[]> {
  const imports = new Map<string, Set<string>>();
  for (const path of sourcesOf(service)) {
    const from = folderOf(service, path);
    if (!from) continue;
    const targets = imports.get(from) ?? new Set<string>();
    imports.set(from, targets);
    for (const [, target = ''] of read(path).matchAll(/\bfrom '(\.[^']+)'/g)) {
      const to = folderOf(service, normalize(join(dirname(path), target)));
      if (to && to !== from) targets.add(to);
    }
  }
  return Object.fromEntries([...imports].map(([from, targets]) => [from, [...targets].sort()]));
}

/** The rows of a README's table of folders, with the folders that each may import. */
function tableOf(readme: string): Record<string, string[]> | undefined {
  const [, table] = /^\| Folder +\|.*\| Imports +\|\n\| -.*\n((?:\|.*\n)+)/m.exec(readme) ?? [];
  const names = (cell = '') => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name);
  if (table === undefined) return undefined;
  const rows = table.trimEnd().split('\n');
  return Object.fromEntries(
    rows.map((row) => {
      const cells = row.split('|').slice(1, -1);
      return [names(cells[0])[0] ?? '', names(cells.at(-1)).sort()];
    }),
  );
}

const tables = services.flatMap((service) => {
  const table = tableOf(read(`${service}/README.md`));
  return table ? [{ service, table }] : [];
});

test('a README with a table of folders exists', () => {
  expect(tables.map(({ service }) => service)).toContain(join('services', 'ticketing'));
});

test.each(tables)('the README of $service lists its folders with their imports', ({ service, table }) => {
  expect(table).toEqual(importsOf(service));
});

test.each(tables)('no two folders of $service import each other', ({ service }) => {
  const imports = importsOf(service);
  const pairs = Object.entries(imports).flatMap(([from, targets]) =>
    targets.filter((to) => imports[to]?.includes(from)).map((to) => `${from} and ${to}`),
  );
  expect(pairs).toEqual([]);
});

test.each(services)('the README of %s names every folder of its sources', (service) => {
  const readme = read(`${service}/README.md`);
  const folders = Object.keys(importsOf(service));
  expect(folders.length).toBeGreaterThan(3);
  const isNamed = (folder: string) => new RegExp(`src/${folder}\\b|^\\| \`${folder}\``, 'm').test(readme);
  expect(folders.filter((folder) => !isNamed(folder))).toEqual([]);
});

test('every stream of a service is opened in a stream.ts', () => {
  const openers = services
    .flatMap(sourcesOf)
    .filter((path) => /\b(?:streams|streamsWithSharedCommits)\(\s*store\b/.test(read(path)));
  expect(openers.length).toBeGreaterThan(10);
  expect(openers.filter((path) => !path.endsWith(`${sep}stream.ts`))).toEqual([]);
});
