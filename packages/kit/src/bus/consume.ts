import { Message } from '@beltway/contracts/common/basics';
import { traced } from '@beltway/tracing';
import type { Pool, PoolClient } from 'pg';
import type { z } from 'zod';
import type { Bus, BusLog, Delivery, Subscription } from './bus.ts';
import { showLag } from './lags.ts';
import { deadLetterTopic, retryTopic } from './dead-letter-topics.ts';
import { countFrom0, park as parkLetter } from './park.ts';
import { openInbox, type Effect } from './inbox.ts';
import { replayMended } from './mended-letters.ts';
import { counter } from '../observe/metrics.ts';
import { isTransient, tookTooLong } from '../postgres/transient.ts';

/** How long an inbox lookup stays valid, in ms. A process that was frozen for longer looks up again. */
const KNOWN_FOR_MS = 1_000;

/**
 * Maximum number of messages per transaction. The number is bounded, because the transaction holds its row locks until
 * the last message is handled.
 */
const MOST_TOGETHER = 100;

const handled = counter('consumed_messages_total', 'Messages a group has dealt with', ['group', 'outcome']);

export interface Handler {
  schema: z.ZodType;
  /** How the effect happens: through `tx` (with the inbox row), through a command, or idempotently. */
  run:
    | { tx: (message: never, tx: PoolClient) => Promise<void> }
    | { command: (message: never) => Promise<Decided> }
    | { repeatable: (message: never) => Promise<void>; state?: (message: never) => State };
}

/** What a message describes, and the version of the description. */
interface State {
  of: string | number;
  version: number;
}

interface Decision {
  events: readonly unknown[];
}

/**
 * The decisions of a message's commands. If the commands appended events, or the handler returns `in-the-log`, the log
 * contains their ids. Otherwise the message is recorded in the inbox.
 */
export type Decided = Decision | Decision[] | 'in-the-log' | void;

function isInTheLog(decided: Decided): boolean {
  if (!decided || decided === 'in-the-log') return decided === 'in-the-log';
  const decisions = [decided].flat();
  return decisions.length > 0 && decisions.every(({ events }) => events.length > 0);
}

/**
 * For effects in the service's own database. `tx` is a client in the transaction that also records the message as
 * handled. Other effects (mail, a call) may happen twice and need their own idempotency key.
 */
export const on = <Schema extends z.ZodType>(
  schema: Schema,
  run: (message: z.infer<Schema>, tx: PoolClient) => Promise<void>,
): Handler => ({ schema, run: { tx: run } });

/**
 * For commands to the event store whose ids derive from the message. The store remembers a command that appended
 * events. A command that appended nothing would be decided again, on a later state, when the message is redelivered. So
 * such a message is recorded in the inbox before the next message of its key is handled.
 */
export const onCommand = <Schema extends z.ZodType>(
  schema: Schema,
  run: (message: z.infer<Schema>) => Promise<Decided>,
): Handler => ({ schema, run: { command: run } });

/**
 * For effects that are idempotent at any time, such as a row that keeps the newest version. Handled messages are not
 * recorded.
 */
export const onRepeatable = <Schema extends z.ZodType>(
  schema: Schema,
  run: (message: z.infer<Schema>) => Promise<void>,
): Handler => ({ schema, run: { repeatable: run } });

/**
 * Like `onRepeatable`, for messages that each contain the whole state of something. If a batch has several messages
 * about the same thing, only the message with the highest version is handled. If that message is parked, the stored
 * state is not updated until a later message or the replay arrives.
 */
export const onNewest = <Schema extends z.ZodType>(
  schema: Schema,
  state: (message: z.infer<Schema>) => State,
  run: (message: z.infer<Schema>) => Promise<void>,
): Handler => ({ schema, run: { repeatable: run, state } });

interface ConsumeOptions {
  bus: Bus;
  /** The service's own database, migrated by `packages/kit/migrations/inbox`. */
  pool: Pool;
  log: BusLog;
  /**
   * The group's name, which consists of reader and purpose: `ticketing.catalog`. Its dead letters go to the topic
   * `ticketing.catalog.dead-letters` and are replayed through `ticketing.catalog.retries`.
   */
  group: string;
  /** Topics in addition to the group's own retry topic. */
  topics: string[];
  /** Handlers, keyed by message type. Other types, and versions that the schema does not know, are skipped. */
  handlers: Record<string, Handler>;
  /**
   * Messages of a batch with equal keys are handled in order; messages with different keys are handled concurrently.
   * Default: the whole batch is handled in order. Useful for commands, because concurrent commands can share a commit.
   */
  orderingKey?: (message: unknown) => string;
  /** How long a message may wait for others in ms (`GroupOptions`). Default 0. */
  gatherMs?: number;
  /** Number of attempts before a failing message is parked. Default 5. */
  attempts?: number;
  /** Milliseconds between attempts; the last value is repeated. */
  pauses?: number[];
}

/**
 * Consumes messages for a service. A message takes effect once, however often it is delivered. A message that keeps
 * failing or timing out is parked as a dead letter, and the group continues. While a dependency is down (database, bus,
 * another service), the group waits indefinitely.
 */
export async function consume(options: ConsumeOptions): Promise<Subscription> {
  const {
    bus,
    pool,
    log,
    group,
    handlers,
    orderingKey,
    gatherMs = 0,
    attempts = 5,
    pauses = [100, 300, 1_000, 2_000],
  } = options;
  const topics = [...options.topics, retryTopic(group)];
  const inbox = openInbox(pool, group);
  const usesInbox = Object.values(handlers).some(({ run }) => !('repeatable' in run));
  const stopping = new AbortController();
  // Positions of handled messages whose batch is not complete. These messages are not handled again when the batch is
  // redelivered.
  const settled = new Set<string>();

  async function handle(batch: Delivery[]): Promise<void> {
    const ids = batch.map(({ message }) => idOf(message)).filter((id) => id !== undefined);
    const known = await memoryOf(ids);
    const outdated = outdatedIn(batch);
    const sequences = orderingKey ? [...Map.groupBy(batch, ({ message }) => orderingKey(message)).values()] : [batch];
    const ends = await Promise.allSettled(
      sequences.map(async (sequence) => {
        const rest = sequence.filter((delivery) => !settled.has(placeOf(delivery)));
        while (rest.length > 0) {
          const run = leadingEffects(rest);
          const { outcomes, failedAt } = run.length > 1 ? await dealTogether(run) : {};
          for (const [index, delivery] of rest.splice(0, Math.max(run.length, 1)).entries()) {
            const tried = index === failedAt ? 1 : 0;
            handled.inc({
              group,
              outcome: outcomes?.[index] ?? (outdated.has(delivery) ? 'skipped' : await deal(delivery, known, tried)),
            });
            settled.add(placeOf(delivery));
          }
        }
      }),
    );
    // Throws only after all sequences of the batch have ended.
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
    for (const delivery of batch) settled.delete(placeOf(delivery));
  }

  /** The messages whose state a message of the same batch replaces (`onNewest`). */
  function outdatedIn(batch: Delivery[]): Set<Delivery> {
    const outdated = new Set<Delivery>();
    const newest = new Map<string, { delivery: Delivery; version: number }>();
    for (const delivery of batch) {
      const { type = '' } = Message.safeParse(delivery.message).data ?? {};
      const handler = Object.hasOwn(handlers, type) ? handlers[type] : undefined;
      if (!handler || !('state' in handler.run)) continue;
      const { data: message } = handler.schema.safeParse(delivery.message);
      if (message === undefined) continue;
      const { of, version } = handler.run.state!(message as never);
      const before = newest.get(`${type} ${of}`);
      if (before && before.version >= version) outdated.add(delivery);
      else {
        if (before) outdated.add(before.delivery);
        newest.set(`${type} ${of}`, { delivery, version });
      }
    }
    return outdated;
  }

  /**
   * A message's effect, if it can share a transaction. `skipped`: the group has no handler for the message. Otherwise
   * undefined.
   */
  function effectOf(delivery: Delivery): Effect | 'skipped' | undefined {
    const { data: envelope } = Message.safeParse(delivery.message);
    if (!envelope) return undefined;
    const handler = Object.hasOwn(handlers, envelope.type) ? handlers[envelope.type] : undefined;
    if (!handler) return 'skipped';
    if (!('tx' in handler.run)) return undefined;
    const { data: message } = handler.schema.safeParse(delivery.message);
    if (message === undefined) return undefined;
    const { tx: effect } = handler.run;
    return {
      id: envelope.id,
      run: (tx) => inDeliverySpan(group, delivery, envelope.type, () => effect(message as never, tx)),
    };
  }

  /** Effects of the leading `deliveries` that can share a transaction. */
  function leadingEffects(deliveries: Delivery[]): (Effect | 'skipped')[] {
    const effects: (Effect | 'skipped')[] = [];
    for (const delivery of deliveries.slice(0, MOST_TOGETHER)) {
      const effect = effectOf(delivery);
      if (effect === undefined) break;
      effects.push(effect);
    }
    return effects;
  }

  /**
   * Handles messages in one transaction. If the result has no outcomes, the transaction failed and had no effect;
   * `failedAt` is the faulty message, if a message caused the failure. Then each message is handled alone, so that only
   * the faulty one is retried and parked.
   */
  async function dealTogether(run: (Effect | 'skipped')[]): Promise<Together> {
    let failedAt: number | undefined;
    const effects = run.flatMap((effect, index) =>
      effect === 'skipped'
        ? []
        : {
            id: effect.id,
            run: (tx: PoolClient) =>
              effect.run(tx).catch((error: unknown) => {
                failedAt = index;
                throw error;
              }),
          },
    );
    if (effects.length === 0) return { outcomes: run.map(() => 'skipped') };
    try {
      const ran = (await inbox.onceEach(effects)).values();
      return {
        outcomes: run.map((effect) => (effect === 'skipped' ? 'skipped' : ran.next().value ? 'done' : 'repeated')),
      };
    } catch (error) {
      log.debug(
        { err: error, group, messages: effects.length },
        'a shared transaction failed, its messages are handled one by one',
      );
      return failedAt === undefined ? {} : { failedAt };
    }
  }

  /**
   * Looks up a batch in the inbox once, and again only if handling takes long, because another member may have taken
   * over the batch.
   */
  async function memoryOf(ids: string[]): Promise<Memory> {
    let known = new Set<string>();
    let askedAt = 0;
    async function ask() {
      askedAt = performance.now();
      if (usesInbox && ids.length > 0) known = await inbox.known(ids);
    }
    await ask();
    return {
      async has(id) {
        if (performance.now() - askedAt > KNOWN_FOR_MS) await ask();
        return known.has(id.toLowerCase());
      },
      add: (id) => void known.add(id.toLowerCase()),
    };
  }

  /** `tried`: the number of previous failures. */
  async function deal(delivery: Delivery, known: Memory, tried: number): Promise<Outcome | 'parked'> {
    const envelope = Message.safeParse(delivery.message);
    if (!envelope.success) return park(delivery, envelope.error, 0);
    const { id, type } = envelope.data;
    const handler = Object.hasOwn(handlers, type) ? handlers[type] : undefined;
    if (!handler) return 'skipped';
    const parsed = handler.schema.safeParse(delivery.message);
    if (!parsed.success) {
      // A newer version of the message, which the consumer of a later release will handle.
      if (parsed.error.issues.some(({ path }) => path[0] === 'version')) return 'skipped';
      return park(delivery, parsed.error, 0);
    }
    for (let attempt = tried + 1; ; attempt++) {
      try {
        if (await known.has(id)) return 'repeated';
        return await inDeliverySpan(group, delivery, type, () => run(handler, id, parsed.data as never, known));
      } catch (error) {
        // The bus redelivers the batch with increasing pauses, indefinitely.
        if (isTransient(error) && !tookTooLong(error)) throw error;
        if (attempt >= attempts) {
          // Checks whether only this message takes too long, or whether the database is too slow for every message.
          if (tookTooLong(error)) await inbox.probe();
          return park(delivery, error, attempt);
        }
        log.warn({ err: error, group, type, id, attempt }, 'a message failed and is retried');
        await pauseFor(pauses[Math.min(attempt, pauses.length) - 1] ?? 0, stopping.signal);
      }
    }
  }

  /** True if the group has a handler for the message and its schema accepts the message. */
  function isHandled(message: unknown): boolean {
    const type = Message.safeParse(message).data?.type ?? '';
    return Object.hasOwn(handlers, type) && handlers[type]!.schema.safeParse(message).success;
  }

  async function run({ run }: Handler, id: string, message: never, known: Memory): Promise<'done' | 'repeated'> {
    if ('repeatable' in run) {
      await run.repeatable(message);
      return 'done';
    }
    if ('command' in run) {
      if (isInTheLog(await run.command(message))) return 'done';
      await inbox.remember(id);
      known.add(id);
      return 'done';
    }
    const { tx: effect } = run;
    return (await inbox.once(id, (tx) => effect(message, tx))) ? 'done' : 'repeated';
  }

  async function park(delivery: Delivery, error: unknown, tried: number): Promise<'parked'> {
    const { data } = Message.safeParse(delivery.message);
    await parkLetter(options, delivery, error, tried, data !== undefined && Object.hasOwn(handlers, data.type));
    return 'parked';
  }

  await bus.ensureTopics([...topics, deadLetterTopic(group)]);
  const subscription = await bus.subscribe({ group, topics, handle, gatherMs });
  const hideLag = showLag(bus, group, topics);
  // Runs in the background, because a replay takes seconds with Kafka and nothing depends on the result.
  void replayMended(bus, group, isHandled, stopping.signal).then(
    (count) => count > 0 && log.info({ group, count }, 'replayed dead letters that now fit their contract'),
    (error: unknown) => {
      if (!stopping.signal.aborted) log.warn({ err: error, group }, 'dead letters could not be checked for replay');
    },
  );
  countFrom0(group, Object.keys(handlers));

  return {
    async stop() {
      stopping.abort();
      hideLag();
      await subscription.stop();
    },
  };
}

/** Runs each attempt in a span, if the message's trace is recorded. */
function inDeliverySpan<T>(group: string, { topic, traceparent }: Delivery, type: string, work: () => Promise<T>) {
  if (traceparent === undefined) return work();
  const attributes = { 'messaging.consumer.group.name': group, 'messaging.destination.name': topic };
  return traced(`process ${type}`, { parent: traceparent, kind: 'consumer', attributes }, work);
}

type Outcome = 'done' | 'repeated' | 'skipped';

interface Together {
  outcomes?: Outcome[];
  failedAt?: number;
}

/** The messages of a batch that were handled before. */
interface Memory {
  has(id: string): Promise<boolean>;
  add(id: string): void;
}

const placeOf = ({ topic, partition, offset }: Delivery): string => `${topic} ${partition} ${offset}`;

const idOf = (message: unknown): string | undefined => Message.safeParse(message).data?.id;

/** Rejects when the consumer stops. Then the current batch is not committed and is redelivered. */
function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new Error('the consumer stops'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
