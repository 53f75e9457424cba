import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@beltway/kit/free-ports';
import { answers } from './answers.ts';
import { redisBinary } from './binary.ts';
import type { TestRedis } from './test-redis.ts';

const READY_MS = 15_000;
/**
 * A shell script that removes the server and its files. It waits for the end of a pipe, which comes when the process
 * that holds the pipe ends for any reason.
 */
const WATCH = 'read -r _; kill -9 "$1" 2>/dev/null; rm -rf "$2"';

/**
 * Starts a real redis-server for this process alone, which may kill and freeze it. It persists nothing and ends with
 * this process. `more`: further arguments.
 */
export async function startRedisProgram(more: string[] = []): Promise<TestRedis> {
  const binary = await redisBinary();
  const folder = mkdtempSync(join(tmpdir(), 'beltway-redis-'));
  const logFile = join(folder, 'redis.log');
  const port = await freePort();
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const log = openSync(logFile, 'a');
    const args = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      folder,
      ...more,
    ];
    const server = spawn(binary.file, args, {
      stdio: ['ignore', log, log],
      env: { ...process.env, ...binary.env },
      detached: true,
    });
    child = server;
    const watch = spawn('sh', ['-c', WATCH, 'watch', String(server.pid), folder], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    watch.unref();
    server.once('exit', () => watch.kill('SIGKILL'));
    for (const end = performance.now() + READY_MS; !(await answers(port)); await pause(20)) {
      if (server.exitCode === null && server.signalCode === null && performance.now() < end) continue;
      throw new Error(`Redis did not start:\n${readFileSync(logFile, 'utf8').slice(-2_000)}`);
    }
  }

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  async function stop(): Promise<void> {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  }

  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    what: binary.what,
    url: `redis://127.0.0.1:${port}`,
    kill,
    start,
    freeze: async () => void child?.kill('SIGSTOP'),
    thaw: async () => void child?.kill('SIGCONT'),
    stop,
  };
}
