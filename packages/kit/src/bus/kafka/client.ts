import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import kafkajs, { type Kafka, type LogEntry, type RetryOptions } from 'kafkajs';
import { BusUnavailable, Unsendable, type BusLog } from '../bus.ts';
import { quietRequestQueue } from './quiet-request-queue.ts';
import { brokerSocket, type KafkaSecurity } from './security.ts';

/** What all parts of the Kafka bus share. */
export interface KafkaContext {
  brokers: string[];
  security?: KafkaSecurity | undefined;
  log: BusLog;
  /** Before topics and groups, so that several systems can share a cluster. */
  prefix: string;
  times: Times;
}

/** Milliseconds. */
export interface Times {
  /** How long to wait for an answer before Kafka counts as away. */
  wait: number;
  /** How long kafkajs waits for one before it takes another connection. */
  request: number;
  /** A member that is not heard of for this long has lost its partitions. The least that Kafka takes as it comes. */
  session: number;
  /** How long the others of a group wait for a member that is at work when partitions are dealt out anew. */
  rebalance: number;
  /** A member that shows no sign of life for this long, and has no work in hand, is started anew. */
  still: number;
}

export const TIMES: Times = { wait: 5_000, request: 10_000, session: 6_000, rebalance: 15_000, still: 30_000 };

export interface KafkaClient {
  kafka: Kafka;
  /** Breaks its connections, which kafkajs then makes anew: it would go on asking through one that has died silently. */
  drop(): void;
  /** Breaks its connections for good. Whatever kafkajs still tries by them ends soon, and reaches no broker. */
  end(): void;
}

/** kafkajs gives up by itself nowhere; whoever asks it something waits no longer than he wants. */
export const FOR_EVER: RetryOptions = {
  initialRetryTime: 100,
  maxRetryTime: 1_000,
  factor: 0.2,
  multiplier: 2,
  retries: Number.MAX_SAFE_INTEGER,
  // A consumer that crashed is started anew by us, whatever the reason: kafkajs itself does it for some reasons only.
  restartOnFailure: async () => false,
};

const CONNECT_MS = 2_000;

/** Each producer, consumer and admin has its own, so that it can be thrown away alone. */
export function kafkaClient({
  brokers,
  security = {},
  log,
  times,
}: Pick<KafkaContext, 'brokers' | 'security' | 'log' | 'times'>): KafkaClient {
  quietRequestQueue();
  const sockets = new Set<Socket>();
  let ended = false;

  // Only an error makes kafkajs notice: for the mere end of a socket it does not listen.
  const drop = () => {
    for (const socket of sockets) socket.destroy(new Error('given up'));
  };
  const kafka = new kafkajs.Kafka({
    clientId: 'beltway',
    // An empty list is the one thing for which kafkajs stops connecting again.
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

/** For kafkajs an ordinary rebalance is an error, and so is each try to connect: what matters of it, we say ourselves. */
function note(log: BusLog, { namespace, log: { message, timestamp: _, logger: _logger, ...rest } }: LogEntry): void {
  log.debug({ namespace, ...rest }, `kafkajs: ${message}`);
}

class Late extends Error {
  override name = 'Late';
}

/** What `work` gives, or an error after `ms`: the work then goes on unheard. */
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

/** Waits for `work`, but no longer than `ms`, and does not mind how it ends. */
export const waitUpTo = (ms: number, work: Promise<unknown>): Promise<void> =>
  within(ms, work).then(
    () => {},
    () => {},
  );

/** Kafka has understood and says no: asking again would not help. */
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

/** The error of the protocol at the bottom, as kafkajs names it. */
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
  // The cluster's own limit may be lower than ours.
  if (TOO_LARGE.has(kindOf(cause) ?? '')) return new Unsendable(`Kafka refuses: ${reason}`, { cause });
  if (/AUTHORIZATION_FAILED$/.test(kindOf(cause) ?? ''))
    return new Error(`KAFKA_USERNAME: Kafka does not allow this account what it wants (${reason})`, { cause });
  if (refused(cause)) return new Error(`Kafka refuses: ${reason}`, { cause });
  return new BusUnavailable(`Kafka does not answer: ${reason}`, { cause });
}
