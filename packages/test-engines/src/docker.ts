import { request } from 'node:http';
import { freePort } from '@beltway/kit/free-ports';
import { accepts } from '@beltway/kit/port';

/** How long an engine may take to answer. One on this machine takes milliseconds. */
const ANSWER_MS = 1_000;
const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a Docker engine of this machine answers, within a second. Not asked where `TEST_CONTAINERS=off`, and not where `DOCKER_HOST` is
 * another machine: its ports are not here.
 */
export async function dockerAnswers(): Promise<boolean> {
  if (process.env['TEST_CONTAINERS'] === 'off') return false;
  const { DOCKER_HOST = 'unix:///var/run/docker.sock' } = process.env;
  if (!URL.canParse(DOCKER_HOST)) return false;
  const host = new URL(DOCKER_HOST);
  const isSocket = host.protocol === 'unix:';
  if (!isSocket && !LOCAL.has(host.hostname)) return false;
  const where = isSocket ? { socketPath: host.pathname } : { host: host.hostname, port: host.port };
  return new Promise((resolve) => {
    const ping = request({ ...where, path: '/_ping', timeout: ANSWER_MS }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    ping.once('timeout', () => ping.destroy());
    ping.once('error', () => resolve(false));
    ping.end();
  });
}

interface ContainerOptions {
  image: string;
  /** The port that it listens on inside. */
  inner: number;
  command?: string[];
  /** What it says when it serves, and how often it says so until then. */
  ready: { says: string; times?: number };
  /** May name the port on this machine. */
  environment?: (port: number) => Record<string, string>;
  /** Folders in memory. */
  inMemory?: string[];
}

/** A server in a container that a test may do anything to; gone with the run, by testcontainers' own reaper. */
export interface Container {
  what: string;
  /** On 127.0.0.1, the same after a kill and a start. */
  port: number;
  /** As `kill -9`. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Nothing answers any more, and nothing is closed. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** And removes what it kept. */
  stop(): Promise<void>;
}

const START_MS = 120_000;

/** Starts one by testcontainers. Rejects where no engine answers, where there is no image to be had, or its port is not on this machine. */
export async function startContainer(options: ContainerOptions): Promise<Container> {
  if (!(await dockerAnswers())) throw new Error('no Docker engine answers');
  const { GenericContainer, getContainerRuntimeClient, Wait } = await import('testcontainers');
  const { image, inner, command, ready, environment = () => ({}), inMemory = [] } = options;
  const port = await freePort();
  const described = new GenericContainer(image)
    .withEnvironment(environment(port))
    .withExposedPorts({ container: inner, host: port })
    .withTmpFs(Object.fromEntries(inMemory.map((folder) => [folder, 'rw'])))
    .withWaitStrategy(Wait.forLogMessage(ready.says, ready.times ?? 1))
    .withStartupTimeout(START_MS);
  const container = await (command ? described.withCommand(command) : described).start();
  const { container: engine } = await getContainerRuntimeClient();
  const it = engine.getById(container.getId());
  const stop = async () => void (await it.remove({ force: true, v: true }));
  if (!(await accepts(port))) {
    await stop();
    throw new Error('the ports of Docker’s containers are not on this machine');
  }
  let frozen = false;
  /** Docker refuses to resume what is not held, and to kill what is. */
  const thaw = async () => {
    if (frozen) await it.unpause();
    frozen = false;
  };
  return {
    what: `Docker image ${image}`,
    port,
    async kill() {
      await thaw();
      await it.kill({ signal: 'SIGKILL' });
      await it.wait();
    },
    start: () => it.start(),
    async freeze() {
      await it.pause();
      frozen = true;
    },
    thaw,
    stop,
  };
}
