import { startTracing, type TracingSettings } from '@beltway/tracing/start';
import { ConfigError } from '../config.ts';
import { runtime } from './runtime.ts';
import { StartRefused } from './start-refused.ts';
import { reachEngines, type EnginesConfig } from '../engines/reach.ts';
import { showStarted, showStarting } from '../http/health.ts';
import { serve, type ServeOptions } from '../http/serve.ts';
import { readServiceCertificate, trustServices, type ServiceTlsConfig } from '../http/instances/service-tls.ts';
import { showMemory } from '../observe/memory-limit.ts';
import { serveMetrics } from '../observe/metrics-server.ts';
import { nameProcess } from '../http/status.ts';
import { openSecurityLog } from '../observe/security-log.ts';
import type { Secrets } from '../secrets.ts';
import { logger, withoutSecrets, type Logger } from '../observe/logger.ts';
import { keepNextTickFast } from '../observe/next-tick.ts';
import { migrate } from '../postgres/migrate.ts';
import { serviceMigrations } from '../postgres/schema-check.ts';

/** Environment variables that every service reads. `common` in `config.ts` has more. */
interface ServiceSettings extends EnginesConfig, TracingSettings, ServiceTlsConfig {
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
  MIGRATE_AT_START?: 'on' | 'off';
}

/** A service during its start. */
export interface Service<Settings> {
  config: Settings;
  log: Logger;
  /**
   * Registers parts to stop after the last response. The parts of one call are stopped concurrently; parts of later
   * calls are stopped first.
   */
  onStop(...parts: Array<(() => unknown) | { stop(): unknown }>): void;
}

/** How a started service serves requests. */
export interface Serving extends Pick<ServeOptions, 'handler' | 'attach' | 'drain' | 'reusePort'> {
  /** A public port. Default: `SERVICE_PORT`, which is only for Beltway's own services. */
  port?: number;
  /** True to use TLS on the port if the service has a certificate. Default: only on `SERVICE_PORT`. */
  byTls?: boolean;
}

/**
 * Runs a service's process: reads its configuration, waits for its engines, opens its parts (`start`), listens, and
 * becomes ready. On a stop it drains and closes its parts (`serve`). After an invalid configuration or a failed start,
 * the process exits with a message instead of a stack.
 */
export function runService<Settings extends ServiceSettings>(
  name: string,
  readConfig: (env?: NodeJS.ProcessEnv) => Settings,
  start: (service: Service<Settings>) => Promise<Serving>,
): void {
  run(async () => {
    const config = readConfig(runtime.env);
    // Tracing starts before the logger, so that log lines contain their trace id.
    const stopTracing = await startTracing(name, config, (fields, text) => log.warn(fields, text));
    const log = logger(name, config.LOG_LEVEL);
    if (config.INTERNAL_TOKEN !== undefined)
      openSecurityLog({
        ...{ service: name, secret: config.INTERNAL_TOKEN, log },
        ...{ folder: config.SECURITY_LOG_DIR, days: config.SECURITY_LOG_DAYS ?? 90 },
      });
    showStarting(name);
    if (runtime.isOwn) showMemory();
    const tls = readServiceCertificate(config);
    trustServices(config);
    if (config.METRICS_PORT !== undefined) await serveMetrics(config.METRICS_PORT, config.HOST, tls);
    nameProcess({ service: name, version: config.BUILD_VERSION, commit: config.BUILD_COMMIT });
    await reachEngines(config, log);
    if (config.MIGRATE_AT_START === 'on') await migrate(config.DATABASE_URL!, serviceMigrations(name), log);
    const close: Array<() => unknown> = stopTracing ? [stopTracing] : [];
    const onStop: Service<Settings>['onStop'] = (...parts) =>
      close.unshift(() => Promise.all(parts.map((part) => (typeof part === 'function' ? part() : part.stop()))));
    const { port: publicPort, byTls = publicPort === undefined, ...serving } = await start({ config, log, onStop });
    const port = publicPort ?? config.SERVICE_PORT;
    if (port === undefined) throw new Error(`${name} has no port to listen on`);
    const lameDuckMs = config.LAME_DUCK_MS ?? 0;
    await serve({ log, host: config.HOST, port, tls: byTls ? tls : undefined, lameDuckMs, close, ...serving });
    showStarted();
  });
}

function run(main: () => Promise<unknown>): void {
  keepNextTickFast();
  // Only the service's user may access files that it writes (mails, pictures, uploads).
  process.umask(0o077);
  // By default, Node prints every property of an error, such as a connection with its keys.
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
