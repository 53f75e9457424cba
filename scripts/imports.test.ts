import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const OTHERS_FILES = new Set(['node_modules', 'dist', 'generated', '.data', '.cache']);
const files = globSync('{packages,services,frontend,scripts,chaos,bench,e2e}/**/*.{ts,tsx,js,mjs}', {
  cwd: root,
  exclude: (path) => OTHERS_FILES.has(basename(path)),
});
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The file behind each name that our packages export: `@beltway/kit/auth`. */
const exported = new Map(
  globSync('packages/*/package.json', { cwd: root }).flatMap((path) => {
    const { name, exports = {} } = JSON.parse(read(path)) as { name: string; exports?: Record<string, string> };
    return Object.entries(exports).map(([key, file]) => [join(name, key), join(dirname(path), file)] as const);
  }),
);

/** Which file imports which: for values or types, at the start or later by `import()`, all alike. */
function importGraph(): Map<string, string[]> {
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const names = ts.preProcessFile(read(file)).importedFiles.map(({ fileName }) => fileName);
      const targets = names.map((name) =>
        name.startsWith('.') ? normalize(join(dirname(file), name)) : (exported.get(name) ?? ''),
      );
      return [file, targets.filter((target) => known.has(target))] as const;
    }),
  );
}

/** One circle of imports, its first file again at its end; undefined when there is none. */
function findCircle(graph: Map<string, string[]>): string[] | undefined {
  const left = new Map(graph);
  const importsLeft = (file: string) => (left.get(file) ?? []).filter((target) => left.has(target));
  // A file whose imports are all outside every circle is outside as well.
  for (let before = -1; before !== left.size;) {
    before = left.size;
    for (const file of graph.keys()) if (importsLeft(file).length === 0) left.delete(file);
  }
  let file = left.keys().next().value;
  const path: string[] = [];
  while (file !== undefined && !path.includes(file)) {
    path.push(file);
    file = importsLeft(file)[0];
  }
  return file === undefined ? undefined : [...path.slice(path.indexOf(file)), file];
}

test('no file imports itself by way of others', () => {
  const graph = importGraph();
  expect(graph.get('scripts/start.ts')).toContain('scripts/launcher/system.ts');
  expect(graph.get('services/catalog/src/main.ts')).toContain('packages/kit/src/service/service.ts');
  expect(findCircle(graph)?.join(' -> ')).toBeUndefined();
});

test('a circle is found wherever it is, and named in the order of its imports', () => {
  const graph = (text: string) => new Map(text.split(' ').map((line) => [line[0]!, [...line.slice(1)]]));
  expect(findCircle(graph('abc bc c'))).toBeUndefined();
  expect(findCircle(graph('ab bcd cd db'))).toEqual(['b', 'c', 'd', 'b']);
  expect(findCircle(graph('aa'))).toEqual(['a', 'a']);
});
