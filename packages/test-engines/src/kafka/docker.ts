import { request } from 'node:http';
import { freePort } from '@beltway/kit/free-ports';
import { VERSION } from './jars.ts';
import { brokerSettings, type TestBroker } from './settings.ts';

const INNER = { inner: 9092, controller: 9093, host: '', data: '/tmp/kraft-combined-logs' };

/** A broker in a container. Rejects when there is no engine, or no image to be had. */
export async function startDockerBroker(): Promise<TestBroker> {
  if (!(await dockerAnswers())) throw new Error('no Docker engine answers');
  const { GenericContainer, getContainerRuntimeClient, Wait } = await import('testcontainers');
  const port = await freePort();
  const settings = Object.entries(brokerSettings({ ...INNER, port })).map(([name, value]) => [
    `KAFKA_${name.toUpperCase().replaceAll('.', '_')}`,
    value,
  ]);
  const image = `apache/kafka:${VERSION}`;
  const container = await new GenericContainer(image)
    .withEnvironment(Object.fromEntries(settings) as Record<string, string>)
    .withExposedPorts({ container: INNER.inner, host: port })
    .withWaitStrategy(Wait.forLogMessage('Kafka Server started'))
    .withStartupTimeout(120_000)
    .start();
  const { container: engine } = await getContainerRuntimeClient();
  const it = engine.getById(container.getId());
  return {
    what: `Docker image ${image}`,
    brokers: `127.0.0.1:${port}`,
    async kill() {
      await it.kill({ signal: 'SIGKILL' });
      await it.wait();
    },
    start: () => it.start(),
    freeze: () => it.pause(),
    thaw: () => it.unpause(),
    async stop() {
      await it.remove({ force: true, v: true });
    },
  };
}

export function dockerAnswers(): Promise<boolean> {
  const host = new URL(process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock');
  const where = host.protocol === 'unix:' ? { socketPath: host.pathname } : { host: host.hostname, port: host.port };
  return new Promise((resolve) => {
    const ping = request({ ...where, path: '/_ping', timeout: 2_000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    ping.once('timeout', () => ping.destroy());
    ping.once('error', () => resolve(false));
    ping.end();
  });
}
