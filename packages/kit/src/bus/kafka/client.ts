import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import kafkajs, { type Kafka, type LogEntry, type RetryOptions } from 'kafkajs';
import { BusUnavailable, Unsendable, type BusLog } from '../bus.ts';
import { quietRequestQueue } from './quiet-request-queue.ts';
import { brokerSocket, type KafkaSecurity } from './security.ts';

/** Shared by all parts of the Kafka bus. */
export interface KafkaContext {
  brokers: string[];
  security?: KafkaSecurity | undefined;
  log: BusLog;
  /** Prefix of topics and groups, so that several systems can share a cluster. */
  prefix: string;
  times: Times;
}

/** Time limits in milliseconds. */
export interface Times {
  /** How long to wait for a response before Kafka counts as down. */
  wait: number;
  /** How long kafkajs waits for a response before it reconnects. */
  request: number;
  /** A member that is silent for this long loses its partitions. The value is Kafka's default minimum. */
  session: number;
  /** How long a rebalance waits for a busy member. */
  rebalance: number;
  /** A member without activity and without a batch for this long is restarted. */
  still: number;
}

export const TIMES: Times = { wait: 5_000, request: 10_000, session: 6_000, rebalance: 15_000, still: 30_000 };

export interface KafkaClient {
  kafka: Kafka;
  /** Breaks the client's connections, so that kafkajs reconnects instead of using a connection that died silently. */
  drop(): void;
  /** Closes the client permanently. Pending retries of kafkajs end soon and reach no broker. */
  end(): void;
}

/** kafkajs never gives up, so each caller limits its own wait. */
export const FOR_EVER: RetryOptions = {
  initialRetryTime: 100,
  maxRetryTime: 1_000,
  factor: 0.2,
  multiplier: 2,
  retries: Number.MAX_SAFE_INTEGER,
  // The bus itself restarts a consumer after any crash, because kafkajs restarts it only for some reasons.
  restartOnFailure: async () => false,
};

const CONNECT_MS = 2_000;

/** Each producer, consumer and admin has its own client, so that a failed client can be discarded alone. */
export function kafkaClient({
  brokers,
  security = {},
  log,
  times,
}: Pick<KafkaContext, 'brokers' | 'security' | 'log' | 'times'>): KafkaClient {
  quietRequestQueue();
  const sockets = new Set<Socket>();
  let ended = false;

  // kafkajs detects an error of a socket, but does not detect that a socket was closed.
  const drop = () => {
    for (const socket of sockets) socket.destroy(new Error('given up'));
  };
  const kafka = new kafkajs.Kafka({
    clientId: 'beltway',
    // kafkajs stops reconnecting only if the list is empty.
    brokers: () => (ended ? [] : brokers),
    ...(security.sasl && { sasl: security.sasl }),
    connectionTimeout: CONNECT_MS,
    requestTimeout: times.request,
    retry: FOR_EVER,
    logLevel: kafkajs.logLevel.WARN,
    logCreator: () => (entry) => note(log, entry),
    socketFactory: ({ host, port, onConnect }) => {
      if (ended) throw new Error('this client has ended');
      const socket = brokerSocket(security, { host, port, onConnect });
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      return socket;
    },
  });
  return {
    kafka,
    drop,
    end() {
      ended = true;
      drop();
    },
  };
}

/**
 * Logs kafkajs's messages at debug level, because kafkajs logs each rebalance and each connection attempt as an error.
 * The bus logs the relevant ones itself.
 */
function note(log: BusLog, { namespace, log: { message, timestamp: _, logger: _logger, ...rest } }: LogEntry): void {
  log.debug({ namespace, ...rest }, `kafkajs: ${message}`);
}

class Late extends Error {
  override name = 'Late';
}

/** Resolves with the result of `work`, or rejects after `ms`; then `work` continues unobserved. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = pause(ms, undefined, { signal: over.signal }).then(() => {
    throw new Late(`no answer within ${ms} ms`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => {});
    over.abort();
  }
}

/** Waits for `work` for at most `ms`, and ignores its outcome. */
export const waitUpTo = (ms: number, work: Promise<unknown>): Promise<void> =>
  within(ms, work).then(
    () => {},
    () => {},
  );

/** Protocol errors with which Kafka rejects a request permanently. A retry would not help. */
const TOO_LARGE = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE']);
const REFUSALS = new Set([
  ...TOO_LARGE,
  'INVALID_TOPIC_EXCEPTION',
  'INVALID_REPLICATION_FACTOR',
  'INVALID_PARTITIONS',
  'POLICY_VIOLATION',
  'TOPIC_AUTHORIZATION_FAILED',
  'GROUP_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
]);

/** The type of the innermost protocol error, as kafkajs names it. */
export function kindOf(error: unknown): string | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { type, errors } = one as { type?: unknown; errors?: unknown[] };
    if (typeof type === 'string') return type;
    const [first] = errors ?? [];
    if (first) return kindOf(first);
  }
  return undefined;
}

export const refused = (error: unknown): boolean => REFUSALS.has(kindOf(error) ?? '');

export function busFault(cause: unknown): Error {
  if (cause instanceof BusUnavailable) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  // The cluster's limit may be lower than the limit of this bus.
  if (TOO_LARGE.has(kindOf(cause) ?? '')) return new Unsendable(`Kafka refuses: ${reason}`, { cause });
  if (/AUTHORIZATION_FAILED$/.test(kindOf(cause) ?? ''))
    return new Error(`KAFKA_USERNAME: Kafka does not allow this account what it wants (${reason})`, { cause });
  if (refused(cause)) return new Error(`Kafka refuses: ${reason}`, { cause });
  return new BusUnavailable(`Kafka does not answer: ${reason}`, { cause });
}
