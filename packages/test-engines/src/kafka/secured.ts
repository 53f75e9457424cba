import { freePorts } from '@beltway/kit/free-ports';
import type { TestCertificates } from '../certificates.ts';
import { startJavaBroker } from './java.ts';

/** A broker with one listener per security protocol. Each listener is `host:port`, for `KAFKA_BROKERS`. */
export interface SecuredBroker {
  plain: string;
  tls: string;
  /** Accepts the mechanisms PLAIN and SCRAM. */
  saslTls: string;
  saslPlain: string;
  username: string;
  password: string;
  stop(): Promise<void>;
}

const USER = { username: 'beltway', password: 'password-for-tests' };
const MECHANISMS = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'];
const MODULES = 'org.apache.kafka.common.security';

/** Starts the broker from Kafka's jars with Java, as a child of this process. */
export async function startSecuredBroker(certificates: TestCertificates): Promise<SecuredBroker> {
  const [tls, saslTls, saslPlain] = (await freePorts(3)) as [number, number, number];
  const at = (port: number) => `127.0.0.1:${port}`;
  const listeners = [`SSL://${at(tls)}`, `SASL_SSL://${at(saslTls)}`, `SASL_PLAINTEXT://${at(saslPlain)}`];
  const logins = ['sasl_ssl', 'sasl_plaintext'].flatMap((listener) =>
    MECHANISMS.map((mechanism) => [
      `listener.name.${listener}.${mechanism.toLowerCase()}.sasl.jaas.config`,
      mechanism === 'PLAIN'
        ? `${MODULES}.plain.PlainLoginModule required user_${USER.username}="${USER.password}";`
        : `${MODULES}.scram.ScramLoginModule required;`,
    ]),
  );
  const broker = await startJavaBroker({
    user: USER,
    change: (settings) => ({
      ...settings,
      listeners: [settings['listeners'], ...listeners].join(','),
      'advertised.listeners': [settings['advertised.listeners'], ...listeners].join(','),
      'listener.security.protocol.map':
        'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_SSL:SASL_SSL,SASL_PLAINTEXT:SASL_PLAINTEXT',
      'ssl.keystore.type': 'PEM',
      'ssl.keystore.location': certificates.keyAndCert,
      // Unauthenticated connections may do everything on this broker; accounts may do only what the ACLs allow.
      'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
      'super.users': 'User:ANONYMOUS',
      'sasl.enabled.mechanisms': MECHANISMS.join(','),
      ...Object.fromEntries(logins),
    }),
  });
  return {
    plain: broker.brokers,
    tls: at(tls),
    saslTls: at(saslTls),
    saslPlain: at(saslPlain),
    ...USER,
    stop: () => broker.stop(),
  };
}
