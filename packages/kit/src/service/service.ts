import { startTracing, type TracingSettings } from '@beltway/tracing/start';
import { ConfigError } from '../config.ts';
import { runtime } from './runtime.ts';
import { StartRefused } from './start-refused.ts';
import { reachEngines, type EnginesConfig } from '../engines/reach.ts';
import { showStarted, showStarting } from '../http/health.ts';
import { serve, type ServeOptions } from '../http/serve.ts';
import { showMemory } from '../observe/memory-limit.ts';
import { serveMetrics } from '../observe/metrics-server.ts';
import { nameProcess } from '../http/status.ts';
import { openSecurityLog } from '../observe/security-log.ts';
import type { Secrets } from '../secrets.ts';
import { logger, withoutSecrets, type Logger } from '../observe/logger.ts';
import { keepNextTickFast } from '../observe/next-tick.ts';

/** What every service reads from its environment (`common` of `config.ts` has more). */
interface ServiceSettings extends EnginesConfig, TracingSettings {
  LOG_LEVEL: string;
  HOST: string;
  SERVICE_PORT?: number | undefined;
  METRICS_PORT?: number | undefined;
  LAME_DUCK_MS?: number;
  BUILD_VERSION?: string | undefined;
  BUILD_COMMIT?: string | undefined;
  INTERNAL_TOKEN?: Secrets;
  SECURITY_LOG_DIR?: string | undefined;
  SECURITY_LOG_DAYS?: number;
}

/** A service while it starts. */
export interface Service<Settings> {
  config: Settings;
  log: Logger;
  /**
   * These parts are stopped together, after the last request was answered. Parts of a later call are stopped before those of an earlier one:
   * what was opened last is closed first.
   */
  onStop(...parts: Array<(() => unknown) | { stop(): unknown }>): void;
}

/** What a started service answers requests with. */
export interface Serving extends Pick<ServeOptions, 'handler' | 'attach' | 'drain' | 'reusePort'> {
  /** Default `SERVICE_PORT`. */
  port?: number;
}

/**
 * The life of a service's process: it reads its configuration, waits until its engines let it in, opens its parts
 * (`start`), listens, and from then on is ready; told to stop, it drains and closes its parts (`serve`). A wrong
 * configuration or a failed start ends the process with a message, not a stack.
 */
export function runService<Settings extends ServiceSettings>(
  name: string,
  readConfig: (env?: NodeJS.ProcessEnv) => Settings,
  start: (service: Service<Settings>) => Promise<Serving>,
): void {
  run(async () => {
    const config = readConfig(runtime.env);
    // Before the logger, whose lines then say which trace they belong to.
    const stopTracing = await startTracing(name, config, (fields, text) => log.warn(fields, text));
    const log = logger(name, config.LOG_LEVEL);
    if (config.INTERNAL_TOKEN !== undefined)
      openSecurityLog({
        ...{ service: name, secret: config.INTERNAL_TOKEN, log },
        ...{ folder: config.SECURITY_LOG_DIR, days: config.SECURITY_LOG_DAYS ?? 90 },
      });
    showStarting(name);
    if (runtime.isOwn) showMemory();
    if (config.METRICS_PORT !== undefined) await serveMetrics(config.METRICS_PORT, config.HOST);
    nameProcess({ service: name, version: config.BUILD_VERSION, commit: config.BUILD_COMMIT });
    await reachEngines(config, log);
    const close: Array<() => unknown> = stopTracing ? [stopTracing] : [];
    const onStop: Service<Settings>['onStop'] = (...parts) =>
      close.unshift(() => Promise.all(parts.map((part) => (typeof part === 'function' ? part() : part.stop()))));
    const { port = config.SERVICE_PORT, ...serving } = await start({ config, log, onStop });
    if (port === undefined) throw new Error(`${name} has no port to listen on`);
    await serve({ log, host: config.HOST, port, lameDuckMs: config.LAME_DUCK_MS ?? 0, close, ...serving });
    showStarted();
  });
}

function run(main: () => Promise<unknown>): void {
  keepNextTickFast();
  // Files of a service (mails, pictures, uploads) are its own user's alone.
  process.umask(0o077);
  // Node itself would print every field of an error: a connection in it has keys.
  const textOf = (error: unknown) => withoutSecrets(String((error as Error | undefined)?.stack ?? error));
  const die = (msg: string) => (error: unknown) => {
    console.error(JSON.stringify({ level: 60, msg, err: textOf(error) }));
    process.exit(1);
  };
  process.on('unhandledRejection', die('unhandled rejection'));
  process.on('uncaughtException', die('uncaught exception'));
  main().catch((error: unknown) => {
    const isForPeople = error instanceof ConfigError || error instanceof StartRefused;
    console.error(isForPeople ? error.message : textOf(error));
    runtime.exit(1);
  });
}
