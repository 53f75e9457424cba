import { request } from 'node:http';
import { freePort } from '@beltway/kit/free-ports';
import { accepts } from '@beltway/kit/port';

/** Time limit for the engine's response, in ms. A local engine takes milliseconds. */
const ANSWER_MS = 1_000;
const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * True if a Docker engine on this machine responds within a second. Sends no request if `TEST_CONTAINERS=off`, or if
 * `DOCKER_HOST` is another machine, because its ports are not reachable from here.
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
  /** The port that the server listens on inside the container. */
  inner: number;
  command?: string[];
  /** The log message of a server that is ready, and how many times the server logs this message until it is ready. */
  ready: { says: string; times?: number };
  /** Returns environment variables for the container, given the published port on this machine. */
  environment?: (port: number) => Record<string, string>;
  /** Folders mounted as tmpfs. */
  inMemory?: string[];
}

/** A server in a container that a test may kill or freeze. The reaper of testcontainers removes it after the run. */
export interface Container {
  what: string;
  /** The port on 127.0.0.1, which stays the same after a kill and a start. */
  port: number;
  /** Like `kill -9`. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Pauses the server: it does not respond, but its connections stay open. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

const START_MS = 120_000;

/**
 * Starts a container with testcontainers. Rejects if no engine responds, the image is not available, or the port is not
 * on this machine.
 */
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
  /**
   * Checks the state first, because Docker refuses to resume a container that is not paused. Docker also refuses to
   * kill a paused container.
   */
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
