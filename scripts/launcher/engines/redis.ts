import { mkdirSync } from 'node:fs';
import { redisBinary } from '@beltway/test-engines/redis-binary';
import { startEngine, unless, type Engine, type Place } from './engine.ts';
import { freePort } from '@beltway/kit/free-ports';
import { StartError } from '../start-error.ts';

/**
 * Starts Redis without persistence, because its data (counts, viewers) is useless after a minute. `url` is a value for
 * `REDIS_URL`.
 */
export async function startRedis({
  folder,
  logFile,
  say,
  signal,
  onProcess,
}: Place): Promise<Engine & { url: string }> {
  const { file, env } = await unless(signal, redisBinary()).catch((error: Error) => {
    throw new StartError(
      `There is no Redis to start (${error.message}). Install redis-server 7 or newer, or set REDIS_URL=redis://host:port.`,
    );
  });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const port = await freePort();
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'no',
    // Redis must not change its command line, which identifies a leftover process at the next start.
    'set-proc-title': 'no',
  };
  const url = `redis://127.0.0.1:${port}`;
  const engine = await startEngine({
    name: 'Redis',
    command: file,
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    env,
    folder,
    logFile,
    port,
    say,
    signal,
    onProcess: (pid) => onProcess(pid, url),
  });
  return { ...engine, url };
}
