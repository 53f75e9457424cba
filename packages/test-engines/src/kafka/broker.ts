import { randomBytes } from 'node:crypto';
import { dockerAnswers, startContainer } from '../docker.ts';
import { firstWay } from '../first-way.ts';
import { kafkaJars, VERSION } from './jars.ts';
import { startJavaBroker } from './java.ts';
import { type TestBroker, brokerSettings } from './settings.ts';

export type { TestBroker } from './settings.ts';

/**
 * Starts a real broker for this process alone, which may kill it. It runs in a container if a Docker engine responds,
 * otherwise from Kafka's jars. It ends with this process. Rejects with the reasons of all failed ways, so that a test
 * without a broker fails and reports why.
 */
export const startBroker = (): Promise<TestBroker> =>
  firstWay<TestBroker>('kafka', [startDockerBroker, () => startJavaBroker()], HELP);

const HELP = 'Start Docker, or install Java and be online once, or set KAFKA_BROKERS.';

/** Downloads the files that a broker needs, before tests wait for it. Returns the reason if no broker is possible. */
export async function prepareKafka(): Promise<string | undefined> {
  if (process.env['KAFKA_BROKERS'] || (await dockerAnswers())) return undefined;
  try {
    await kafkaJars();
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `no kafka to test with (no Docker engine answers; ${why}). ${HELP}`;
  }
}

export interface TestKafka {
  /** Environment variables for `openBus`. */
  env: { KAFKA_BROKERS: string; KAFKA_PREFIX: string };
  stop(): Promise<void>;
}

/**
 * The cluster of KAFKA_BROKERS, otherwise the broker of this test run, otherwise a new broker. Topics and groups get a
 * unique prefix.
 */
export async function testKafka(): Promise<TestKafka> {
  const prefix = `test-${randomBytes(4).toString('hex')}.`;
  const { KAFKA_BROKERS: given, TEST_KAFKA_BROKERS: shared } = process.env;
  if (given) {
    console.info(`kafka: ${given}, from KAFKA_BROKERS, with the prefix ${prefix}`);
    return { env: { KAFKA_BROKERS: given, KAFKA_PREFIX: prefix }, stop: () => removeTopics(given, prefix) };
  }
  if (shared) return { env: { KAFKA_BROKERS: shared, KAFKA_PREFIX: prefix }, stop: async () => {} };
  const broker = await startBroker();
  return { env: { KAFKA_BROKERS: broker.brokers, KAFKA_PREFIX: prefix }, stop: () => broker.stop() };
}

async function removeTopics(brokers: string, prefix: string): Promise<void> {
  const { kafkaClient, TIMES } = await import('../../../kit/src/bus/kafka/client.ts');
  const { silent } = await import('../../../kit/src/bus/bus.ts');
  const admin = kafkaClient({ brokers: brokers.split(','), log: silent, times: TIMES }).kafka.admin();
  await admin.connect();
  const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
  if (topics.length > 0) await admin.deleteTopics({ topics });
  await admin.disconnect();
}

const INNER = { inner: 9092, controller: 9093, host: '', data: '/tmp/kraft-combined-logs' };

/** Starts a broker in a container. Rejects if there is no Docker engine or no image. */
async function startDockerBroker(): Promise<TestBroker> {
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
