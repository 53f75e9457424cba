import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceSpec, Surroundings, System } from './system.ts';
import { prepareDatabases } from './databases.ts';
import { startDev } from './dev.ts';
import { takeLock } from './lock.ts';
import { rotate } from './logs.ts';
import { freePorts, isFree } from './ports.ts';
import { startPostgres, type Postgres } from './postgres.ts';
import { untilReady } from './ready.ts';
import { secretsOf } from './secrets.ts';
import { seedOnce } from './seed.ts';
import { startService, type Service } from './service.ts';
import { StartError, type Settings } from './settings.ts';

export interface Running {
  url: string;
  /** The gateway first, then the services, then PostgreSQL; within 10 s. Calling it again gives the same promise. */
  stop(): Promise<void>;
  /** Everything at once, for those in a hurry. The data stays whole. */
  kill(): void;
}

const GIVE_UP_MS = 180_000;
const GATEWAY_GRACE_MS = 2_500;
const SERVICES_GRACE_MS = 4_500;
const ALL_MS = 9_000;

type Say = (text: string) => void;

/**
 * Starts a system on one data folder. Resolves when every service and the public door say that they are ready, or when
 * `abort` ends the waiting; it must be stopped in both cases.
 */
export async function launch(system: System, settings: Settings, say: Say, abort?: AbortSignal): Promise<Running> {
  const lock = await takeLock(settings.dataDir);
  if (!('release' in lock)) {
    const where = lock.port ? ` at http://localhost:${lock.port}` : '';
    throw new StartError(
      `Beltway runs already on ${settings.dataDir}${where} (process ${lock.pid}). Use another DATA_DIR and PORT for a second copy.`,
    );
  }
  const services: Service[] = [];
  const gone = new AbortController();
  abort?.addEventListener('abort', () => gone.abort());
  let postgres: Promise<Postgres> | undefined;
  let stopped: Promise<void> | undefined;

  const stop = () =>
    (stopped ??= (async () => {
      gone.abort();
      const deadline = Date.now() + ALL_MS;
      const door = services.find(({ name }) => name === system.services.at(-1)?.name);
      const doorStopped = door?.stop(GATEWAY_GRACE_MS + SERVICES_GRACE_MS);
      await Promise.race([doorStopped, new Promise((resolve) => setTimeout(resolve, GATEWAY_GRACE_MS).unref())]);
      await Promise.all([
        doorStopped,
        ...services.filter((one) => one !== door).map((one) => one.stop(SERVICES_GRACE_MS)),
      ]);
      await (await postgres?.catch(() => undefined))?.stop(Math.max(deadline - Date.now(), 500));
      lock.release();
    })());

  try {
    await checkPort(settings.port);
    lock.tell({ port: settings.port });
    const secrets = secretsOf(settings.dataDir);
    const logFile = (name: string) => join(settings.dataDir, 'logs', `${name}.log`);
    rotate(logFile('postgres'));
    const folder = join(settings.dataDir, 'postgres');
    if (!existsSync(folder)) say(`making a database in ${settings.dataDir}`);
    const page = settings.dev ? undefined : system.page?.(say);
    page?.catch(() => undefined);
    const server = startPostgres({
      folder,
      logFile: logFile('postgres'),
      password: secrets.POSTGRES_PASSWORD,
      durable: true,
      onCrash: say,
    });
    postgres = server;
    const [ports, { port: postgresPort, url }] = await Promise.all([portsFor(system, settings), server]);
    lock.tell({ postgresPort });
    const around: Surroundings = { settings, secrets, ports, postgresPort };
    const prepared = prepareDatabases(
      system.databases,
      { adminUrl: url('postgres'), port: postgresPort, folder },
      secrets,
    );

    const start = async (spec: ServiceSpec) => {
      await Promise.all(spec.databases.map((name) => prepared.ready(name)));
      if (gone.signal.aborted) return;
      const { name, entry } = spec;
      services.push(startService({ name, entry, env: spec.env(around), logFile: logFile(name), say }));
      await untilReady(name, spec.ready(`http://127.0.0.1:${ports[name]}`), say, gone.signal);
    };
    await withDeadline(Promise.all([page, prepared.all, ...system.services.map(start)]));
    if (settings.dev)
      startDev({ settings, system, services, gatewayPort: ports['gateway']!, say, signal: gone.signal });
    if (system.seed && !gone.signal.aborted) await seedOnce(system.seed, around, say, gone.signal);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: `http://localhost:${settings.port}`,
    stop,
    kill: () => {
      for (const service of services) service.kill();
      // Shut down at once, without a last checkpoint; the log it replays at the next start has everything.
      void postgres?.then((server) => server.pid() && process.kill(server.pid()!, 'SIGQUIT'));
      lock.release();
    },
  };
}

async function checkPort(port: number): Promise<void> {
  if ((await isFree(port)) && (await isFree(port, '0.0.0.0'))) return;
  throw new StartError(
    `Port ${port} is in use. Stop what listens there, or choose another: PORT=${port + 1} npm start`,
  );
}

/** The public door gets the public port, unless vite's server stands before it; all others any that are free. */
async function portsFor(system: System, settings: Settings): Promise<Record<string, number>> {
  const free = await freePorts(system.services.length);
  const ports = Object.fromEntries(system.services.map(({ name }, index) => [name, free[index]!]));
  const door = system.services.at(-1)!.name;
  return settings.dev ? ports : { ...ports, [door]: settings.port };
}

async function withDeadline(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(
      () => reject(new StartError(`Not everything was ready after ${GIVE_UP_MS / 1000} s, giving up.`)),
      GIVE_UP_MS,
    );
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
