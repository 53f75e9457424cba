import { isIP, connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { SASLOptions } from 'kafkajs';
import { readCaFile } from '../../engines/ca-file.ts';

/** How to connect to brokers. */
export interface KafkaSecurity {
  /** Settings for TLS. `ca` contains the authorities (PEM) that Node does not include. */
  tls?: { ca?: string | undefined } | undefined;
  sasl?: SASLOptions | undefined;
}

/** The environment variables of a service, declared by `engineVariables` and checked by `readConfig`. */
export interface KafkaSecurityConfig {
  KAFKA_TLS?: string | undefined;
  KAFKA_CA_FILE?: string | undefined;
  KAFKA_SASL?: string | undefined;
  KAFKA_USERNAME?: string | undefined;
  KAFKA_PASSWORD?: string | undefined;
}

/** Throws `ConfigError` if the CA file cannot be read. */
export function kafkaSecurity(config: KafkaSecurityConfig): KafkaSecurity {
  const { KAFKA_TLS, KAFKA_CA_FILE, KAFKA_SASL: mechanism, KAFKA_USERNAME = '', KAFKA_PASSWORD = '' } = config;
  const ca = readCaFile('KAFKA_CA_FILE', KAFKA_CA_FILE);
  return {
    ...(KAFKA_TLS === 'on' && { tls: { ca } }),
    ...(mechanism && { sasl: { mechanism, username: KAFKA_USERNAME, password: KAFKA_PASSWORD } as SASLOptions }),
  };
}

/** Opens a connection to a broker; `onConnect` is called when it is ready. */
export function brokerSocket(
  { tls }: KafkaSecurity,
  { host, port, onConnect }: { host: string; port: number; onConnect: () => void },
): Socket {
  const options = { host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 };
  // An IP address is not a valid SNI name.
  const servername = isIP(host) ? {} : { servername: host };
  const socket = tls
    ? connectTls({ ...options, ...servername, ...(tls.ca && { ca: tls.ca }) }, onConnect)
    : connect(options, onConnect);
  // kafkajs repeatedly disconnects a broker whose socket has closed, and each `unref` of a closed socket adds a
  // listener.
  return socket.once('close', () => (socket.unref = () => socket));
}
