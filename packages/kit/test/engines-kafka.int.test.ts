import { randomUUID } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import kafkajs from 'kafkajs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testCertificates, type TestCertificates } from '@beltway/test-engines/certificates';
import { startSecuredBroker, type SecuredBroker } from '@beltway/test-engines/kafka-secured';
import { silent } from '../src/bus/bus.ts';
import { openBus } from '../src/bus/open.ts';
import { ConfigError } from '../src/config.ts';
import { reachEngines, type EnginesConfig } from '../src/engines/reach.ts';
import { freePort } from '../src/testing/free-ports.ts';
import { eventually } from '../src/testing/testing.ts';
import { counted, type Counted } from './bus-contract.ts';

// Tests Kafka with TLS and accounts. One broker has a listener per security protocol.

let certificates: TestCertificates;
let broker: SecuredBroker;
beforeAll(async () => {
  certificates = await testCertificates();
  broker = await startSecuredBroker(certificates);
  await allow(PREFIX);
});
afterAll(async () => {
  await broker.stop();
  certificates.remove();
});

/** The only prefix that the account has permissions for, as in docs/operations/managed-engines.md. */
const PREFIX = 'ours.';

/** Grants permissions for the prefix to the account, as the superuser. */
async function allow(prefix: string): Promise<void> {
  const { AclResourceTypes, AclOperationTypes, AclPermissionTypes, ResourcePatternTypes } = kafkajs;
  const admin = new kafkajs.Kafka({ brokers: [broker.plain], logLevel: kafkajs.logLevel.NOTHING }).admin();
  const right = (resourceType: number, resourceName: string, operation: number) => ({
    resourceType,
    resourceName,
    resourcePatternType:
      resourceType === AclResourceTypes.CLUSTER ? ResourcePatternTypes.LITERAL : ResourcePatternTypes.PREFIXED,
    principal: `User:${broker.username}`,
    host: '*',
    operation,
    permissionType: AclPermissionTypes.ALLOW,
  });
  await admin.connect();
  await admin.createAcls({
    acl: [
      right(AclResourceTypes.TOPIC, prefix, AclOperationTypes.ALL),
      right(AclResourceTypes.GROUP, prefix, AclOperationTypes.ALL),
    ],
  });
  await admin.disconnect();
}

const tls = (ca = certificates.ca) => ({ KAFKA_TLS: 'on', KAFKA_CA_FILE: ca });
const sasl = (mechanism: string, password = broker.password) => ({
  KAFKA_SASL: mechanism,
  KAFKA_USERNAME: broker.username,
  KAFKA_PASSWORD: password,
});

test.for<[string, () => EnginesConfig]>([
  ['TLS', () => ({ KAFKA_BROKERS: broker.tls, ...tls() })],
  ['TLS and PLAIN', () => ({ KAFKA_BROKERS: broker.saslTls, ...tls(), ...sasl('plain') })],
  ['TLS and SCRAM-SHA-256', () => ({ KAFKA_BROKERS: broker.saslTls, ...tls(), ...sasl('scram-sha-256') })],
  ['SCRAM-SHA-512 without TLS', () => ({ KAFKA_BROKERS: broker.saslPlain, ...sasl('scram-sha-512') })],
])('by %s messages are published, consumed by a group and a tail, and replayed', async ([, config]) => {
  await reachEngines(config(), silent);
  const bus = await openBus({ ...config(), KAFKA_PREFIX: PREFIX });
  const topic = `test-${randomUUID()}`;
  const heard: unknown[] = [];
  const tailed: unknown[] = [];
  const replayed: unknown[] = [];
  await bus.ensureTopics([topic]);
  await bus.subscribe({
    group: `group-${topic}`,
    topics: [topic],
    handle: async (batch) => void heard.push(...batch.map(({ message }) => (message as Counted).data.n)),
  });
  await bus.tail([topic], (message) => void tailed.push((message as Counted).data.n));
  await bus.publish(topic, [counted('a', 0), counted('a', 1)]);
  await eventually(() => heard.length === 2 && tailed.length === 2, { what: 'the messages' });
  await bus.replay(
    topic,
    async (batch) => void replayed.push(...batch.map(({ message }) => (message as Counted).data.n)),
  );
  expect([heard, tailed, replayed]).toEqual([
    [0, 1],
    [0, 1],
    [0, 1],
  ]);
  expect(await bus.healthy()).toBe(true);
  await bus.close();
});

test.for<[string, () => EnginesConfig, RegExp]>([
  ['no TLS where there is some', () => ({ KAFKA_BROKERS: broker.tls }), /KAFKA_TLS: .* speaks TLS/],
  [
    'an account without TLS where there is some',
    () => ({ KAFKA_BROKERS: broker.saslTls, ...sasl('scram-sha-512') }),
    /KAFKA_TLS: .* speaks TLS/,
  ],
  [
    'TLS where there is none',
    () => ({ KAFKA_BROKERS: broker.plain, ...tls() }),
    /KAFKA_TLS: .* does not answer in TLS/,
  ],
  [
    'another authority',
    () => ({ KAFKA_BROKERS: broker.tls, ...tls(certificates.otherCa) }),
    /KAFKA_CA_FILE: .*another authority/,
  ],
  [
    'authorities that Node knows',
    () => ({ KAFKA_BROKERS: broker.tls, KAFKA_TLS: 'on' }),
    /KAFKA_CA_FILE: .*another authority/,
  ],
  [
    'no such file',
    () => ({ KAFKA_BROKERS: broker.tls, ...tls('/nowhere/ca.pem') }),
    /KAFKA_CA_FILE: cannot be read \(ENOENT\)/,
  ],
  [
    'another password (SCRAM)',
    () => ({ KAFKA_BROKERS: broker.saslTls, ...tls(), ...sasl('scram-sha-512', 'wrong') }),
    /KAFKA_PASSWORD: .*authentication failed/,
  ],
  [
    'another password (PLAIN)',
    () => ({ KAFKA_BROKERS: broker.saslTls, ...tls(), ...sasl('plain', 'wrong') }),
    /KAFKA_PASSWORD: .*authentication failed/,
  ],
  [
    'no account where one is wanted',
    () => ({ KAFKA_BROKERS: broker.saslTls, ...tls() }),
    /KAFKA_SASL: .* may want a sign-in/,
  ],
  [
    'an account where none is wanted',
    () => ({ KAFKA_BROKERS: broker.tls, ...tls(), ...sasl('scram-sha-512') }),
    /KAFKA_SASL: .* does not accept sign-ins here/,
  ],
  [
    'a name without address',
    () => ({ KAFKA_BROKERS: 'nobody.invalid:9092' }),
    /KAFKA_BROKERS: there is no address for the name nobody\.invalid/,
  ],
  [
    'one of two brokers away, the other refuses',
    () => ({ KAFKA_BROKERS: `127.0.0.1:9,${broker.tls}` }),
    /KAFKA_TLS: .* speaks TLS/,
  ],
])('%s: the start names the variable and ends', async ([, wrong, said]) => {
  const error = await reachEngines(wrong(), silent, { doubtMs: 300 }).then(
    () => new Error('Kafka let us in'),
    (why: Error) => why,
  );
  expect(error).toBeInstanceOf(ConfigError);
  expect(error.message).toMatch(said);
  expect(error.message).not.toContain(broker.password);
});

test('an account without permissions is reported with the name of its variable, without waiting', async () => {
  const bus = await openBus({
    KAFKA_BROKERS: broker.saslTls,
    ...tls(),
    ...sasl('scram-sha-512'),
    KAFKA_PREFIX: 'theirs.',
  });
  await expect(bus.ensureTopics(['events'])).rejects.toThrow(/KAFKA_USERNAME: Kafka does not allow/);
  await bus.close();
});

test('one broker that answers is enough', () => reachEngines({ KAFKA_BROKERS: `127.0.0.1:9,${broker.plain}` }, silent));

test('a start waits for a broker that is not up yet and closes connections', async () => {
  const port = await freePort();
  const closing = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
  await once(closing, 'listening');
  const warnings: string[] = [];
  const reached = reachEngines(
    { KAFKA_BROKERS: `127.0.0.1:${port}` },
    { info() {}, warn: (_, text) => void warnings.push(text) },
  );
  await eventually(() => warnings.length > 0, { what: 'a warning' });
  closing.close();
  const [host, to] = broker.plain.split(':') as [string, string];
  const forward = createServer((socket) => {
    const on = connect(Number(to), host);
    socket.pipe(on).pipe(socket);
    for (const one of [socket, on]) one.on('error', () => undefined);
  });
  await eventually(async () => {
    forward.listen(port, '127.0.0.1');
    return once(forward, 'listening');
  });
  await reached;
  expect(warnings[0]).toBe('Kafka does not answer, the start waits for it');
  forward.close();
});
