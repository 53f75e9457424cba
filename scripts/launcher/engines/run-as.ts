import { execFileSync, type SpawnOptions } from 'node:child_process';
import { chownSync, existsSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';

export interface Identity {
  uid: number;
  gid: number;
}

/**
 * How to start PostgreSQL's programs: as the current user, or as another user if the current user is root, because
 * PostgreSQL refuses to run as root.
 */
export interface RunAs {
  identity?: Identity;
  /** Command prefix that is needed if the other user may not traverse the path. */
  prefix: string[];
  options: Pick<SpawnOptions, 'uid' | 'gid'>;
}

const OVERRIDE = '+dac_override';

/**
 * The user that runs PostgreSQL if the launcher runs as root: the owner of an existing data folder, otherwise the user
 * `postgres`, otherwise the system's user without privileges.
 */
function unprivileged(dataFolder: string): Identity {
  if (existsSync(dataFolder)) {
    const { uid, gid } = statSync(dataFolder);
    if (uid !== 0) return { uid, gid };
  }
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const user = users.find((fields) => fields[0] === name);
    if (user) return { uid: Number(user[2]), gid: Number(user[3]) };
  }
  return { uid: 65_534, gid: 65_534 };
}

/** The user that PostgreSQL runs as; undefined: the current user. */
export const postgresUser = (dataFolder: string): Identity | undefined =>
  process.platform === 'win32' || userInfo().uid !== 0 ? undefined : unprivileged(dataFolder);

function succeeds(command: string, args: string[], options: SpawnOptions = {}): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore', ...options });
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns how to run this program of PostgreSQL on this folder. A clone under `/root` (mode 700) is closed to every
 * other user. In that case the program runs as its new user but keeps the capability to bypass file modes (by
 * `setpriv`, part of every Debian).
 */
export function runAs(program: string, dataFolder: string): RunAs {
  const identity = postgresUser(dataFolder);
  if (!identity) return { prefix: [], options: {} };
  const paths = ['-x', program, '-a', '-x', dataFolder];
  if (existsSync(dataFolder)) chownSync(dataFolder, identity.uid, identity.gid);
  if (succeeds('test', paths, identity)) return { identity, prefix: [], options: identity };
  const prefix = [
    'setpriv',
    `--reuid=${identity.uid}`,
    `--regid=${identity.gid}`,
    '--clear-groups',
    `--inh-caps=${OVERRIDE}`,
    `--ambient-caps=${OVERRIDE}`,
    // PostgreSQL checks with access(2) whether its programs are executable; without this flag the check ignores the
    // capability.
    '--securebits=+no_setuid_fixup',
    '--',
  ];
  if (succeeds(prefix[0]!, [...prefix.slice(1), 'test', ...paths])) return { identity, prefix, options: {} };
  throw new Error(
    `PostgreSQL does not run as root, and user ${identity.uid} may not open ${dataFolder} or ${program}. ` +
      'Start as another user, or move the clone to a folder that others may enter (chmod o+x on the folders above it).',
  );
}
