import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LOOKED_UP_MS = 5_000;
/** An environment without our secrets, for programs that read untrusted input. */
const PLAIN_ENV = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C', TZ: 'UTC' };
const MODULE = 'ngx_rtmp_module.so';

/** The installed programs for streaming. */
export interface Programs {
  /** nginx with its RTMP module. `module`: the file of the module, null if the module is built in. */
  nginx: { module: string | null } | null;
  hasFfmpeg: boolean;
}

/** Looks for nginx with the RTMP module, and for ffmpeg. */
export async function findPrograms(): Promise<Programs> {
  const [nginx, hasFfmpeg] = await Promise.all([
    output('nginx', ['-V']).then((built) => (built === null ? null : rtmpModule(built))),
    output('ffmpeg', ['-version']).then((said) => said !== null),
  ]);
  return { nginx, hasFfmpeg };
}

async function output(program: string, args: string[]): Promise<string | null> {
  try {
    const { stdout, stderr } = await run(program, args, { env: PLAIN_ENV, timeout: LOOKED_UP_MS });
    return stdout + stderr;
  } catch {
    return null;
  }
}

function rtmpModule(built: string): { module: string | null } | null {
  if (/--add-module=\S*rtmp/.test(built)) return { module: null };
  const module = join(/--modules-path=(\S+)/.exec(built)?.[1] ?? '/usr/lib/nginx/modules', MODULE);
  return existsSync(module) ? { module } : null;
}

/** When this process dies for any reason, the pipe closes, and the shell then kills the program. */
const WATCH = 'read -r _; kill -9 "$1" 2>/dev/null';

/**
 * Starts a program that ends with this process, even if this process is killed. Calls `say` with each line of its
 * standard error.
 */
export function startProgram(program: string, args: string[], say: (line: string) => void): ChildProcess {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: PLAIN_ENV });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => text.split('\n').filter(Boolean).forEach(say));
  if (child.pid === undefined) return child;
  const watch = spawn('sh', ['-c', WATCH, 'watch', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: PLAIN_ENV,
    detached: true,
  });
  watch.on('error', () => undefined);
  watch.unref();
  (watch.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  child.once('exit', () => watch.kill('SIGKILL'));
  return child;
}

/**
 * Runs a program to its end. If the program fails or takes longer than `maxMs`, rejects with the last part of the
 * program's output.
 */
export async function runProgram(program: string, args: string[], maxMs: number): Promise<string> {
  const { stdout } = await run(program, args, { env: PLAIN_ENV, timeout: maxMs, maxBuffer: 1024 * 1024 });
  return stdout;
}
