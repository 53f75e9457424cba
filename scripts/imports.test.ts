import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, dirname, join, normalize, relative } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { beltway } from './launcher/system.ts';

const root = join(import.meta.dirname, '..');
const OTHERS_FILES = new Set(['node_modules', 'dist', 'generated', '.data', '.cache']);
const files = globSync('{packages,services,frontend,scripts,chaos,bench,e2e}/**/*.{ts,tsx,js,mjs}', {
  cwd: root,
  exclude: (path) => OTHERS_FILES.has(basename(path)),
});
const known = new Set(files);
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Manifest {
  name: string;
  exports?: Record<string, string>;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
}
const manifest = (folder: string) => JSON.parse(read(join(folder, 'package.json'))) as Manifest;

/** The file of each export of the packages: `@beltway/kit/auth`, or `@beltway/contracts/*`. */
const exported = new Map(
  globSync('packages/*', { cwd: root }).flatMap((folder) => {
    const { name, exports = {} } = manifest(folder);
    return Object.entries(exports).map(([key, file]) => [join(name, key), join(folder, file)] as const);
  }),
);
const behind = (name: string): string | undefined => {
  const [scope = '', packageName = '', ...path] = name.split('/');
  return exported.get(name) ?? exported.get(join(scope, packageName, '*'))?.replace('*', path.join('/'));
};

const importsIn = (code: string): string[] => ts.preProcessFile(code).importedFiles.map(({ fileName }) => fileName);
/** The file of this repository that an import refers to; undefined for other packages and Node's modules. */
function target(file: string, name: string): string | undefined {
  const path = name.startsWith('.') ? normalize(join(dirname(file), name)) : behind(name);
  return path !== undefined && known.has(path) ? path : undefined;
}

/** The files that each file imports: values or types, statically or by `import()`. */
function importGraph(): Map<string, string[]> {
  return new Map(
    files.map((file) => [file, importsIn(read(file)).flatMap((name) => target(file, name) ?? [])] as const),
  );
}

/** An import cycle that repeats its first file at the end; undefined if there is none. */
function findCircle(graph: Map<string, string[]>): string[] | undefined {
  const left = new Map(graph);
  const importsLeft = (file: string) => (left.get(file) ?? []).filter((target) => left.has(target));
  // A file whose imports are all outside of cycles is in no cycle either.
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

test('no file imports itself through other files', () => {
  const graph = importGraph();
  expect(graph.get('scripts/start.mjs')).toContain('scripts/launcher/system.ts');
  expect(graph.get('services/catalog/src/main.ts')).toContain('packages/kit/src/service/service.ts');
  expect(findCircle(graph)?.join(' -> ')).toBeUndefined();
});

/** `ui` and each folder of `lib` on the page; undefined for tests and other files. */
const sharedFolderOf = (file: string): string | undefined =>
  isForTests(file) ? undefined : /^frontend\/src\/(ui|lib\/[^/]+)(?=\/)/.exec(file)?.[0];

test('ui and the folders of lib do not import each other in cycles', () => {
  const folders = new Map<string, string[]>();
  for (const [file, targets] of importGraph()) {
    const folder = sharedFolderOf(file);
    if (folder === undefined) continue;
    const others = targets.flatMap((target) => sharedFolderOf(target) ?? []).filter((other) => other !== folder);
    folders.set(folder, [...(folders.get(folder) ?? []), ...others]);
  }
  expect(folders.get('frontend/src/ui')).toContain('frontend/src/lib/i18n');
  expect(findCircle(folders)?.join(' -> ')).toBeUndefined();
});

test('a cycle is found anywhere, and listed in the order of its imports', () => {
  const graph = (text: string) => new Map(text.split(' ').map((line) => [line[0]!, [...line.slice(1)]]));
  expect(findCircle(graph('abc bc c'))).toBeUndefined();
  expect(findCircle(graph('ab bcd cd db'))).toEqual(['b', 'c', 'd', 'b']);
  expect(findCircle(graph('aa'))).toEqual(['a', 'a']);
});

/**
 * The entry files of a start and of related commands: npm scripts that install no development packages, the services,
 * and the build of the page.
 */
function filesOfStart(): string[] {
  const scripts = Object.entries(manifest('.').scripts ?? {}).flatMap(([name, command], _index, all) => {
    const before = all.find(([other]) => other === `pre${name}`)?.[1] ?? '';
    const [, file] = /^node (scripts\/\S+)/.exec(command) ?? [];
    return file && !/--(dev|browser)/.test(before) ? [file] : [];
  });
  const system = beltway();
  const entries = [...system.services.map(({ entry }) => entry), system.seed!].map((path) => relative(root, path));
  // Entry files of separate processes, which no other file imports.
  const others = globSync(['scripts/**/*-process.ts', 'services/*/src/**/*.ts'], { cwd: root });
  return [...scripts, ...entries, ...others.filter((file) => !isForTests(file)), 'frontend/vite.config.ts'];
}
const isForTests = (file: string) => /\.test\.tsx?$|[/\\](testing|test|generated)[/\\]/.test(file);

const isPackage = (name: string) => !name.startsWith('.') && !name.startsWith('node:') && behind(name) === undefined;
const packageOf = (name: string) => name.split('/', name.startsWith('@') ? 2 : 1).join('/');
const folderOf = (file: string) => /^(?:(?:packages|services)\/[^/]+|frontend)(?=\/)/.exec(file)?.[0] ?? '.';

test('each package that a start imports is a dependency, so that `npm ci --omit=dev` installs it', () => {
  const seen = new Set<string>();
  const missing: string[] = [];
  const follow = (file: string, code: string): void => {
    const listed = { ...manifest('.').dependencies, ...manifest(folderOf(file)).dependencies };
    for (const name of importsIn(code)) {
      const next = target(file, name);
      if (next !== undefined) visit(next);
      else if (isPackage(name) && !(packageOf(name) in listed)) missing.push(`${file}: ${packageOf(name)}`);
    }
  };
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    follow(file, file.endsWith('.ts') ? stripTypeScriptTypes(read(file)) : read(file));
  };
  filesOfStart().forEach(visit);
  expect([...seen]).toEqual(
    expect.arrayContaining(['scripts/launcher/engines/databases.ts', 'packages/kit/src/service/service.ts']),
  );
  for (const file of files) if (file.startsWith('frontend/src/') && !isForTests(file)) follow(file, read(file));
  expect(missing).toEqual([]);
});
