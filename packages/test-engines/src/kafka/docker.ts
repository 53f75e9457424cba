import { startContainer } from '../docker.ts';
import { VERSION } from './jars.ts';
import { brokerSettings, type TestBroker } from './settings.ts';

const INNER = { inner: 9092, controller: 9093, host: '', data: '/tmp/kraft-combined-logs' };

/** A broker in a container. Rejects when there is no engine, or no image to be had. */
export async function startDockerBroker(): Promise<TestBroker> {
  const container = await startContainer({
    image: `apache/kafka:${VERSION}`,
    inner: INNER.inner,
    environment: (port) => {
      const settings = Object.entries(brokerSettings({ ...INNER, port }));
      return Object.fromEntries(
        settings.map(([name, value]) => [`KAFKA_${name.toUpperCase().replaceAll('.', '_')}`, String(value)]),
      );
    },
    ready: { says: 'Kafka Server started' },
  });
  return { ...container, brokers: `127.0.0.1:${container.port}` };
}
