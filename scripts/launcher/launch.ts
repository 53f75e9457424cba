import { join } from 'node:path';
import type { ServiceSpec, Surroundings, System } from './system.ts';
import { keepBus } from './data-folder/bus-marker.ts';
import { prepareDatabases } from './engines/databases.ts';
import { startDev } from './dev.ts';
import { startEngines, type Engines } from './engines/engines.ts';
import { takeLock } from './data-folder/lock.ts';
import { freePorts, isFree } from '@beltway/kit/free-ports';
import { untilReady } from './services/ready.ts';
import { checkReplicas, instanceName } from './services/replicas.ts';
import { refuseHalfRestored } from './data-folder/data-dir.ts';
import { roster } from './processes/roster.ts';
import { secretsOf } from './secrets.ts';
import { seedOnce } from './seed.ts';
import { startInOneProcess } from './services/one-process.ts';
import { startService, type Service } from './services/service.ts';
import { type Settings } from './settings.ts';
import { StartError } from './start-error.ts';

export interface Running {
  url: string;
  /**
   * Stops the gateway, then the services, then PostgreSQL and the other servers; takes at most 10 s. Repeated calls
   * return the same promise.
   */
  stop(): Promise<void>;
  /** Kills all processes immediately, without losing data. */
  kill(): void;
}

const GIVE_UP_MS = 180_000;
const GATEWAY_GRACE_MS = 2_500;
const SERVICES_GRACE_MS = 4_500;
const ALL_MS = 9_000;
/** PostgreSQL connections per instance: for its pools, its listeners and its share of the bus. */
const CONNECTIONS_EACH = 25;

type Say = (text: string) => void;

/**
 * Starts a system on a data folder. Resolves when every service and the public door are ready, or when `abort` ends the
 * wait. In both cases the caller must stop the system.
 */
export async function launch(system: System, settings: Settings, say: Say, abort?: AbortSignal): Promise<Running> {
  checkReplicas(settings.replicas, system);
  refuseHalfRestored(settings.dataDir);
  const lock = await takeLock(settings.dataDir);
  if (!('release' in lock)) {
    const where = lock.port ? ` at http://localhost:${lock.port}` : '';
    throw new StartError(
      `Beltway runs already on ${settings.dataDir}${where} (process ${lock.pid}). Use another DATA_DIR and PORT for a second copy.`,
    );
  }
  const services: Service[] = [];
  const running = roster(join(settings.dataDir, 'processes.json'));
  const gone = new AbortController();
  abort?.addEventListener('abort', () => gone.abort());
  let starting: Promise<Engines> | undefined;
  let stopped: Promise<void> | undefined;

  const stop = () =>
    (stopped ??= (async () => {
      gone.abort();
      const deadline = Date.now() + ALL_MS;
      const isDoor = ({ service }: Service) => service === system.services.at(-1)?.name;
      const doorStopped = Promise.all(
        services.filter(isDoor).map((door) => door.stop(GATEWAY_GRACE_MS + SERVICES_GRACE_MS)),
      );
      await Promise.race([doorStopped, new Promise((resolve) => setTimeout(resolve, GATEWAY_GRACE_MS).unref())]);
      await Promise.all([
        doorStopped,
        ...services.filter((one) => !isDoor(one)).map((one) => one.stop(SERVICES_GRACE_MS)),
      ]);
      const engines = await starting?.catch(() => undefined);
      await engines?.stop(Math.max(deadline - Date.now(), 500));
      running.clear();
      lock.release();
    })());

  try {
    await checkPort(settings.port);
    lock.tell({ port: settings.port });
    const secrets = secretsOf(settings.dataDir);
    const logFile = (name: string) => join(settings.dataDir, 'logs', `${name}.log`);
    const page = settings.dev ? undefined : system.page?.(say);
    page?.catch(() => undefined);
    keepBus(settings.dataDir, settings.engines || settings.kafkaBrokers ? 'kafka' : 'database');
    const instances = system.services.reduce((sum, { name }) => sum + countOf(name, settings), 0);
    const connections = CONNECTIONS_EACH * instances;
    starting = startEngines({ settings, secrets, connections, roster: running, say, signal: gone.signal });
    const [{ ports, metricsPorts, doorPort }, engines] = await Promise.all([portsFor(system, settings), starting]);
    const { server, postgresPort, kafkaBrokers, redisUrl } = engines;
    lock.tell({ postgresPort, kafkaBrokers });
    const around: Surroundings = {
      settings,
      secrets,
      ports,
      doorPort,
      databaseUrl: server.url,
      kafkaBrokers,
      redisUrl,
    };
    const databases = system.databases.filter(({ name }) => !(kafkaBrokers && name === system.bus));
    const prepared = prepareDatabases(databases, server, secrets);

    const instancesOf = (spec: ServiceSpec) =>
      ports[spec.name]!.map((port, index) => {
        const { name: service, entry } = spec;
        const name = instanceName(service, index);
        const url = `http://127.0.0.1:${port}`;
        const metricsPort = metricsPorts[service]![index]!;
        const metrics = `http://127.0.0.1:${metricsPort}/metrics`;
        const env = { ...spec.env(around, index), METRICS_PORT: String(metricsPort) };
        return {
          service: { name, service, entry, env, logFile: logFile(name) },
          onProcess: (pid: number | undefined) => running.note(name, service, url, pid, metrics),
          ready: () => untilReady(name, spec.ready(url), say, gone.signal),
        };
      });
    /**
     * Starts a service and waits until it is ready. The door checks all other services, so `before` delays the check of
     * the door until the other services are ready.
     */
    const start = async (spec: ServiceSpec, before?: Promise<unknown>) => {
      await Promise.all(spec.databases.map((name) => prepared.ready(name)));
      if (gone.signal.aborted) return;
      const instances = instancesOf(spec);
      for (const { service, onProcess } of instances) services.push(startService({ ...service, say, onProcess }));
      await before;
      await Promise.all(instances.map(({ ready }) => ready()));
    };
    const startTogether = async () => {
      await prepared.all;
      if (gone.signal.aborted) return;
      const instances = system.services.flatMap(instancesOf);
      services.push(
        startInOneProcess({
          services: instances.map(({ service }) => service),
          logFile: logFile('services'),
          dataDir: settings.dataDir,
          say,
          onProcess: (pid) => instances.forEach((one) => one.onProcess(pid)),
        }),
      );
      // Checks one service at a time, first the door, which is ready last.
      for (const { ready } of instances.toReversed()) await ready();
    };
    const startEach = async () => {
      const others = Promise.all([page, ...system.services.slice(0, -1).map((spec) => start(spec))]);
      await Promise.all([others, start(system.services.at(-1)!, others)]);
    };
    await withDeadline(Promise.all([page, prepared.all, settings.oneProcess ? startTogether() : startEach()]));
    if (settings.dev) startDev({ settings, system, services, gatewayPort: doorPort, say, signal: gone.signal });
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
      void starting?.then((engines) => engines.kill());
      running.clear();
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

const countOf = (name: string, { replicas }: Settings): number => replicas[name] ?? 1;

/**
 * Assigns each instance two free ports, the second for metrics. The public door gets the public port, unless vite's
 * server is in front of it.
 */
async function portsFor({ services }: System, settings: Settings) {
  const free = await freePorts(1 + 2 * services.reduce((sum, { name }) => sum + countOf(name, settings), 0));
  const doorPort = settings.dev ? free.pop()! : settings.port;
  const take = () => Object.fromEntries(services.map(({ name }) => [name, free.splice(0, countOf(name, settings))]));
  const ports = take();
  const metricsPorts = take();
  const door = services.at(-1)!.name;
  return { doorPort, metricsPorts, ports: { ...ports, ...(countOf(door, settings) === 1 && { [door]: [doorPort] }) } };
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
