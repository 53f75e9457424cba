import kafkajs from 'kafkajs';
import { quietRequestQueue } from '../bus/kafka/quiet-request-queue.ts';
import { brokerSocket, kafkaSecurity, type KafkaSecurity, type KafkaSecurityConfig } from '../bus/kafka/security.ts';
import { attempted, ATTEMPT_MS, chainOf, networkFinding, type Finding } from './finding.ts';

/**
 * Signs in at each broker and lists topics. One broker that accepts the account is enough, because all brokers have the
 * same accounts. Throws `ConfigError` if the CA file cannot be read.
 */
export async function tryKafka(config: KafkaSecurityConfig & { KAFKA_BROKERS: string }): Promise<Finding> {
  const security = kafkaSecurity(config);
  const brokers = config.KAFKA_BROKERS.split(',').map((one) => one.trim());
  const findings = await Promise.all(brokers.map((broker) => tryBroker(broker, security)));
  for (const state of ['answers', 'refused', 'doubtful'] as const) {
    const found = findings.find((one) => one.state === state);
    if (found) return found;
  }
  return findings[0]!;
}

async function tryBroker(broker: string, security: KafkaSecurity): Promise<Finding> {
  quietRequestQueue();
  const { tls, sasl } = security;
  const kafka = new kafkajs.Kafka({
    clientId: 'beltway',
    brokers: [broker],
    ...(sasl && { sasl }),
    connectionTimeout: ATTEMPT_MS,
    requestTimeout: ATTEMPT_MS,
    retry: { retries: 0 },
    logLevel: kafkajs.logLevel.NOTHING,
    socketFactory: ({ host, port, onConnect }) => brokerSocket(security, { host, port, onConnect }),
  });
  const admin = kafka.admin();
  try {
    await attempted(
      admin.connect().then(() => admin.listTopics()),
      () => void admin.disconnect().catch(() => undefined),
    );
    return { state: 'answers' };
  } catch (error) {
    const errors = chainOf(error);
    const { message: why = '' } = errors.at(-1) ?? {};
    const isKind = (name: string) => errors.some((one) => one.name === name);
    if (isKind('KafkaJSSASLAuthenticationError')) {
      const variable = /mechanism is not supported/.test(why) ? 'KAFKA_SASL' : 'KAFKA_PASSWORD';
      return { state: 'refused', variable, why: `${broker}: ${why}` };
    }
    if (errors.some((one) => 'type' in one && one.type === 'ILLEGAL_SASL_STATE'))
      return { state: 'refused', variable: 'KAFKA_SASL', why: `${broker} does not accept sign-ins here` };
    const [, host = '', port] = /^(.*):(\d+)$/.exec(broker) ?? [];
    const at = { host, port: Number(port), isTls: Boolean(tls) };
    const finding = await networkFinding(error, { url: 'KAFKA_BROKERS', tls: 'KAFKA_TLS', ca: 'KAFKA_CA_FILE' }, at);
    // The broker accepted the connection but closed it at the first request.
    const isClosed = isKind('KafkaJSConnectionClosedError') && finding.state !== 'refused';
    if (isClosed && !sasl)
      return {
        state: 'doubtful',
        variable: 'KAFKA_SASL',
        why: `${broker} closes the connection: it may want a sign-in`,
      };
    return finding;
  }
}
