import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const cache = join(import.meta.dirname, '..', '..', '.cache');

/** Unpacks Debian packages into `.cache/<name>`, once. They are not installed: nothing outside of `.cache` changes. */
export function unpackDebian(name: string, packages: () => string[], say: (line: string) => void): string {
  const folder = join(cache, name);
  if (existsSync(join(folder, 'usr'))) return folder;
  mkdirSync(folder, { recursive: true });
  try {
    const wanted = packages();
    say(`fetching ${name} from Debian's packages ${wanted.join(', ')}`);
    execFileSync('apt-get', ['download', ...wanted], { cwd: folder, stdio: 'ignore' });
    for (const file of readdirSync(folder).filter((one) => one.endsWith('.deb')))
      execFileSync('dpkg-deb', ['-x', file, '.'], { cwd: folder, stdio: 'ignore' });
  } catch (error) {
    say(`${name} could not be fetched: ${(error as Error).message}`);
  }
  return folder;
}

/** The environment for a program that was unpacked into this folder: its libraries are there, too. */
export function unpackedEnv(folder: string): NodeJS.ProcessEnv {
  const below = join(folder, 'usr', 'lib');
  const libraries = existsSync(below) ? readdirSync(below).filter((one) => one.endsWith('-linux-gnu')) : [];
  return { ...process.env, LD_LIBRARY_PATH: libraries.map((one) => join(below, one)).join(delimiter) };
}

/** The program of this name on the `PATH`. */
export const onPath = (program: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file));
