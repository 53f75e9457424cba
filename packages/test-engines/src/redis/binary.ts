import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const CACHE = new URL('../../../../.cache/redis', import.meta.url).pathname;
/** Debian's redis-tools contains the program. The other packages are libraries that a minimal system lacks. */
const PACKAGES = ['redis-server', 'redis-tools', 'libjemalloc2', 'liblzf1', 'libatomic1'];
const PROGRAM = 'usr/bin/redis-check-rdb';

export interface RedisBinary {
  /** Describes where the program comes from. */
  what: string;
  file: string;
  /** Environment variables that the program needs. */
  env: NodeJS.ProcessEnv;
}

/**
 * Finds a redis-server to start: the program on PATH, otherwise Debian's, which is downloaded once without root into
 * `.cache/redis`. Rejects with the reasons of all failed attempts.
 */
export async function redisBinary(): Promise<RedisBinary> {
  const found = await working({ what: 'redis-server on PATH', file: 'redis-server', env: {} });
  if (found) return found;
  try {
    const folder = await fromDebian();
    const libraries = readdirSync(join(folder, 'usr/lib'))
      .filter((name) => name.includes('linux-gnu'))
      .map((name) => join(folder, 'usr/lib', name));
    // Debian's server is a symbolic link, which a copied cache may have lost.
    const file = join(folder, PROGRAM.replace('check-rdb', 'server'));
    const binary = { what: 'Debian package redis-server', file, env: { LD_LIBRARY_PATH: libraries.join(':') } };
    const works = await working(binary);
    if (!works) throw new Error('the program of the Debian package does not run here');
    return works;
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new Error(`there is no redis-server, 7 or newer, on PATH; ${why}`, { cause: error });
  }
}

async function working(binary: RedisBinary): Promise<RedisBinary | undefined> {
  try {
    const { stdout } = await run(binary.file, ['--version'], { env: { ...process.env, ...binary.env } });
    const version = /v=(\d+)/.exec(stdout)?.[1];
    return Number(version) >= 7 ? binary : undefined;
  } catch {
    return undefined;
  }
}

async function fromDebian(): Promise<string> {
  const folder = join(CACHE, 'debian');
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(join(CACHE, 'draft-'));
  // apt downloads as its own user if it can, so that user must be able to write here.
  chmodSync(draft, 0o777);
  try {
    await run('apt-get', ['download', ...PACKAGES], { cwd: draft, timeout: 120_000 });
    for (const file of readdirSync(draft).filter((name) => name.endsWith('.deb')))
      await run('dpkg', ['-x', join(draft, file), join(draft, 'root')]);
    // The folder is renamed when it is complete. Concurrent processes each write their own draft.
    if (!existsSync(folder)) renameSync(join(draft, 'root'), folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}
