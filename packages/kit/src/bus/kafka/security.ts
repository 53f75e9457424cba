import { isIP, connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { SASLOptions } from 'kafkajs';
import { readCaFile } from '../../engines/ca-file.ts';

/** How brokers are spoken to. */
export interface KafkaSecurity {
  /** By TLS; `ca` has the authorities (PEM) where they are not the ones that Node knows. */
  tls?: { ca?: string | undefined } | undefined;
  sasl?: SASLOptions | undefined;
}

/** Variables of a service, as `engineVariables` reads them and `readConfig` has checked them. */
export interface KafkaSecurityConfig {
  KAFKA_TLS?: string | undefined;
  KAFKA_CA_FILE?: string | undefined;
  KAFKA_SASL?: string | undefined;
  KAFKA_USERNAME?: string | undefined;
  KAFKA_PASSWORD?: string | undefined;
}

/** Throws `ConfigError` when the CA file cannot be read. */
export function kafkaSecurity(config: KafkaSecurityConfig): KafkaSecurity {
  const { KAFKA_TLS, KAFKA_CA_FILE, KAFKA_SASL: mechanism, KAFKA_USERNAME = '', KAFKA_PASSWORD = '' } = config;
  const ca = readCaFile('KAFKA_CA_FILE', KAFKA_CA_FILE);
  return {
    ...(KAFKA_TLS === 'on' && { tls: { ca } }),
    ...(mechanism && { sasl: { mechanism, username: KAFKA_USERNAME, password: KAFKA_PASSWORD } as SASLOptions }),
  };
}

/** A connection to a broker; `onConnect` is called when it can be used. */
export function brokerSocket(
  { tls }: KafkaSecurity,
  { host, port, onConnect }: { host: string; port: number; onConnect: () => void },
): Socket {
  const options = { host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 };
  if (!tls) return connect(options, onConnect);
  // An address is no name that a server chooses its certificate by.
  const servername = isIP(host) ? {} : { servername: host };
  return connectTls({ ...options, ...servername, ...(tls.ca && { ca: tls.ca }) }, onConnect);
}
