/** A broker that a test may kill or freeze. */
export interface TestBroker {
  /** Describes the broker and its origin. */
  what: string;
  /** The value for `KAFKA_BROKERS`. */
  brokers: string;
  /** Like `kill -9`. */
  kill(): Promise<void>;
  /** Starts the broker again with its data and on its port. */
  start(): Promise<void>;
  /** Pauses the broker: it does not respond, but its connections stay open. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Stops the broker and removes its data. */
  stop(): Promise<void>;
}

interface Place {
  port: number;
  controller: number;
  data: string;
  /** The port on which the broker itself listens, if it differs from the published port. */
  inner?: number;
  host?: string;
}

/** Settings of one node that is both broker and controller, tuned to start and to detect lost members quickly. */
export function brokerSettings({ port, controller, data, inner = port, host = '127.0.0.1' }: Place) {
  return {
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': `1@127.0.0.1:${controller}`,
    listeners: `PLAINTEXT://${host}:${inner},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
    'log.dirs': data,
    'default.replication.factor': '1',
    'min.insync.replicas': '1',
    'offsets.topic.replication.factor': '1',
    'offsets.topic.num.partitions': '4',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'transaction.state.log.num.partitions': '4',
    'share.coordinator.state.topic.replication.factor': '1',
    'share.coordinator.state.topic.min.isr': '1',
    'group.initial.rebalance.delay.ms': '0',
    'group.min.session.timeout.ms': '1000',
    'auto.create.topics.enable': 'false',
    'broker.session.timeout.ms': '3000',
    'broker.heartbeat.interval.ms': '500',
    'num.network.threads': '2',
    'num.io.threads': '4',
    'log.cleaner.dedupe.buffer.size': '16777216',
    'log.segment.bytes': '67108864',
  };
}
