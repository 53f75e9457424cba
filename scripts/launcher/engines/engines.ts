import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { databaseUrl, outsideServer, type Server } from './databases.ts';
import { startKafka } from './kafka.ts';
import { rotate } from '../processes/logs.ts';
import { startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';
import type { Roster } from '../processes/roster.ts';
import type { Secrets } from '../secrets.ts';
import type { Settings } from '../settings.ts';

/**
 * The servers that the services use. Without Kafka the bus is a database; without Redis each process has its own
 * counters.
 */
export interface Engines {
  server: Server;
  /** Port of the PostgreSQL that the launcher started. */
  postgresPort: number | undefined;
  kafkaBrokers: string | undefined;
  redisUrl: string | undefined;
  stop(withinMs: number): Promise<void>;
  /** Kills all servers immediately. No data is lost. */
  kill(): void;
}

export interface EnginesOptions {
  settings: Settings;
  secrets: Secrets;
  /** Maximum open connections to PostgreSQL. */
  connections: number;
  roster: Roster;
  say: (text: string) => void;
  signal: AbortSignal;
}

/**
 * Uses the external servers (`DATABASE_SERVER_URL`, `KAFKA_BROKERS`, `REDIS_URL`) and starts the other servers:
 * PostgreSQL, and with `--engines` Kafka and Redis. Restarts a started server whenever it ends. If a server cannot
 * start, stops all started servers.
 */
export async function startEngines(options: EnginesOptions): Promise<Engines> {
  const { settings, secrets, connections, roster, say } = options;
  const { engines, dataDir, databaseServer, kafkaBrokers, redisUrl } = settings;
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  const started: Array<Pick<Engines, 'stop' | 'kill'>> = [];
  const begin = async <T extends Pick<Engines, 'stop' | 'kill'>>(start: Promise<T>): Promise<T> => {
    const one = await start;
    started.push(one);
    return one;
  };
  const place = (name: string) => {
    const logFile = join(dataDir, 'logs', `${name}.log`);
    rotate(logFile);
    const onProcess = (pid: number | undefined, url: string) => roster.note(name, name, url, pid);
    return { folder: join(dataDir, name), logFile, say, signal, onProcess };
  };
  const stop = async (withinMs: number) => {
    await Promise.all(started.map((one) => one.stop(withinMs)));
  };

  const own = () => {
    const { folder, logFile, onProcess } = place('postgres');
    if (!existsSync(folder)) say(`making a database in ${dataDir}`);
    return startPostgres({
      folder,
      logFile,
      password: secrets.POSTGRES_PASSWORD,
      durable: !settings.oneProcess,
      connections,
      onCrash: say,
      onProcess: (pid, port) => onProcess(pid, `postgres://127.0.0.1:${port}`),
    });
  };
  const starts = [
    databaseServer ? undefined : begin(own()),
    engines && !kafkaBrokers ? begin(startKafka(place('kafka'))) : undefined,
    engines && !redisUrl ? begin(startRedis(place('redis'))) : undefined,
  ] as const;
  try {
    const [postgres, kafka, redis] = await Promise.all(starts);
    return {
      server: postgres
        ? {
            adminUrl: postgres.url('postgres'),
            url: (name) => databaseUrl(name, postgres.port, secrets),
            folder: join(dataDir, 'postgres'),
            prefix: '',
          }
        : outsideServer(databaseServer!, secrets),
      postgresPort: postgres?.port,
      kafkaBrokers: kafkaBrokers ?? kafka?.url,
      redisUrl: redisUrl ?? redis?.url,
      stop,
      kill: () => started.forEach((one) => one.kill()),
    };
  } catch (error) {
    failed.abort();
    await Promise.allSettled(starts);
    await stop(2_000);
    throw error;
  }
}
