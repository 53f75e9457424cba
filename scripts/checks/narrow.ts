import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';

/** The tests that `npm test -- …` selects. */
export interface Narrowing {
  /** Parts of file names, such as `services/ticketing`. Empty: all files. */
  paths: string[];
  /** A regular expression that the full title of a test must match. */
  name?: string;
}

export interface TestFile {
  file: string;
  projectName: string;
}

/** Parses `services/ticketing -t "never sells"`; undefined: all tests. */
export function parseNarrowing(args: string[]): Narrowing | undefined {
  const { values, positionals } = parseArgs({
    args,
    options: { testNamePattern: { type: 'string', short: 't' } },
    allowPositionals: true,
  });
  const name = values.testNamePattern;
  if (name === '') throw new Error('-t needs a part of a test name');
  if (name !== undefined) new RegExp(name);
  if (name === undefined && positionals.length === 0) return undefined;
  return { paths: positionals.map((path) => path.replace(/^\.\//, '')), ...(name !== undefined && { name }) };
}

/**
 * The files that may contain matching tests, by project. Loading all files to get their titles takes minutes, so a name
 * without a path is searched in their text. To select tests whose titles are computed or in another file, add a path.
 */
export function byProject(
  files: TestFile[],
  { paths, name }: Narrowing,
  root: string,
  read: (file: string) => string = (file) => readFileSync(file, 'utf8'),
): Map<string, string[]> {
  const title = name !== undefined && paths.length === 0 ? new RegExp(name) : undefined;
  const found = new Map<string, string[]>();
  for (const { file, projectName } of files) {
    const path = relative(root, file).replaceAll('\\', '/');
    if (paths.length > 0 && !paths.some((part) => path.includes(part))) continue;
    if (title && !title.test(read(file))) continue;
    found.set(projectName, [...(found.get(projectName) ?? []), path]);
  }
  return found;
}
