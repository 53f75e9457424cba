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

/** So long the answer which messages were handled before is believed: who was frozen since must ask again. */
const KNOWN_FOR_MS = 1_000;

/** How many messages share a transaction at most: it holds its rows' locks until the last of them is handled. */
const MOST_TOGETHER = 100;

const handled = counter('consumed_messages_total', 'Messages a group has dealt with', ['group', 'outcome']);

export interface Handler {
  schema: z.ZodType;
  /** Its effect is written by `tx` (with the inbox row), or by a command, or by something that may be done twice. */
  run:
    | { tx: (message: never, tx: PoolClient) => Promise<void> }
    | { command: (message: never) => Promise<Decided> }
    | { repeatable: (message: never) => Promise<void> };
}

interface Decision {
  events: readonly unknown[];
}

/**
 * What a message's commands decided. Where each of them appended events, their ids in the log are the memory; so they are where the handler
 * says that a command of the same id is `in-the-log`. All else is remembered in the inbox.
 */
export type Decided = Decision | Decision[] | 'in-the-log' | void;

function isInTheLog(decided: Decided): boolean {
  if (!decided || decided === 'in-the-log') return decided === 'in-the-log';
  const decisions = [decided].flat();
  return decisions.length > 0 && decisions.every(({ events }) => events.length > 0);
}

/**
 * For effects in the service's own database: `tx` is a client inside the transaction that also records the message as
 * handled. What is done outside of it (mail, a call) may be done twice and needs a key of its own.
 */
export const on = <Schema extends z.ZodType>(
  schema: Schema,
  run: (message: z.infer<Schema>, tx: PoolClient) => Promise<void>,
): Handler => ({ schema, run: { tx: run } });

/**
 * For commands to the event store whose ids are made from the message: the store knows a command that appended something. One that decided
 * nothing would be decided anew, on a later state, when the message comes again; so then the message is written to the inbox, before
 * the next one of its key is handled.
 */
export const onCommand = <Schema extends z.ZodType>(
  schema: Schema,
  run: (message: z.infer<Schema>) => Promise<Decided>,
): Handler => ({ schema, run: { command: run } });

/** For an effect that is the same however often and however late it is done, such as a row that keeps the newest version: nothing is remembered. */
export const onRepeatable = <Schema extends z.ZodType>(
  schema: Schema,
  run: (message: z.infer<Schema>) => Promise<void>,
): Handler => ({ schema, run: { repeatable: run } });

interface ConsumeOptions {
  bus: Bus;
  /** The service's own database, migrated by `packages/kit/migrations/inbox`. */
  pool: Pool;
  log: BusLog;
  /** Reader and purpose: `ticketing.catalog`. Its dead letters go to `ticketing.catalog.dead-letters`, and come again by `ticketing.catalog.retries`. */
  group: string;
  /** Beside the group's own, by which its dead letters come again. */
  topics: string[];
  /** By message type. Other types, and versions the schema does not know, are skipped. */
  handlers: Record<string, Handler>;
  /**
   * Messages of a batch with equal keys are handled in order, those with different keys concurrently. Default: the whole batch in
   * order. For commands: those that are handled concurrently can share a commit.
   */
  orderingKey?: (message: unknown) => string;
  /** How often a failing message is tried before it is parked. Default 5. */
  attempts?: number;
  /** Milliseconds between the tries; the last one counts for all further. */
  pauses?: number[];
}

/**
 * The one way a service listens. A message has its effect once however often it is delivered; one that fails by itself, or always
 * takes too long, is parked as a dead letter and the group goes on; when something around it is away (database, bus, another
 * service), the group waits for as long as it takes.
 */
export async function consume(options: ConsumeOptions): Promise<Subscription> {
  const { bus, pool, log, group, handlers, orderingKey, attempts = 5, pauses = [100, 300, 1_000, 2_000] } = options;
  const topics = [...options.topics, retryTopic(group)];
  const inbox = openInbox(pool, group);
  const usesInbox = Object.values(handlers).some(({ run }) => !('repeatable' in run));
  const stopping = new AbortController();
  // Places dealt with while their batch is not through: when it comes again, nothing of them has to be done twice.
  const settled = new Set<string>();

  async function handle(batch: Delivery[]): Promise<void> {
    const ids = batch.map(({ message }) => idOf(message)).filter((id) => id !== undefined);
    const known = await memoryOf(ids);
    const sequences = orderingKey ? [...Map.groupBy(batch, ({ message }) => orderingKey(message)).values()] : [batch];
    const ends = await Promise.allSettled(
      sequences.map(async (sequence) => {
        const rest = sequence.filter((delivery) => !settled.has(placeOf(delivery)));
        while (rest.length > 0) {
          const run = leadingEffects(rest);
          const { outcomes, failedAt } = run.length > 1 ? await dealTogether(run) : {};
          for (const [index, delivery] of rest.splice(0, Math.max(run.length, 1)).entries()) {
            const tried = index === failedAt ? 1 : 0;
            handled.inc({ group, outcome: outcomes?.[index] ?? (await deal(delivery, known, tried)) });
            settled.add(placeOf(delivery));
          }
        }
      }),
    );
    // Only when nothing of it is under way any more.
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
    for (const delivery of batch) settled.delete(placeOf(delivery));
  }

  /** The effect of a message that may share a transaction; `skipped` when the group has no handler for it; else undefined. */
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

  /** The first messages of `deliveries` that can share a transaction, with what they do. */
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
   * Handles messages in one transaction: one commit for all. Without outcomes it failed and nothing happened, at the message
   * `failedAt` where it was a message's fault: each is then handled alone, so that only that one is tried again and parked.
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
      log.debug({ err: error, group, messages: effects.length }, 'messages failed together and are handled one by one');
      return failedAt === undefined ? {} : { failedAt };
    }
  }

  /** One question for a batch, and again only where it is in hand for long: another member may have taken it over meanwhile. */
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

  /** `tried`: how often it failed before. */
  async function deal(delivery: Delivery, known: Memory, tried: number): Promise<Outcome | 'parked'> {
    const envelope = Message.safeParse(delivery.message);
    if (!envelope.success) return park(delivery, envelope.error, 0);
    const { id, type } = envelope.data;
    const handler = Object.hasOwn(handlers, type) ? handlers[type] : undefined;
    if (!handler) return 'skipped';
    const parsed = handler.schema.safeParse(delivery.message);
    if (!parsed.success) {
      // A version of later days: a reader that knows it will come with the code that needs it.
      if (parsed.error.issues.some(({ path }) => path[0] === 'version')) return 'skipped';
      return park(delivery, parsed.error, 0);
    }
    for (let attempt = tried + 1; ; attempt++) {
      try {
        if (await known.has(id)) return 'repeated';
        return await inDeliverySpan(group, delivery, type, () => run(handler, id, parsed.data as never, known));
      } catch (error) {
        // The bus delivers the batch again, with growing pauses, for as long as it takes.
        if (isTransient(error) && !tookTooLong(error)) throw error;
        if (attempt >= attempts) {
          // It is the message that takes too long, or the database that is too slow for any.
          if (tookTooLong(error)) await inbox.probe();
          return park(delivery, error, attempt);
        }
        log.warn({ err: error, group, type, id, attempt }, 'a message failed and is tried again');
        await pauseFor(pauses[Math.min(attempt, pauses.length) - 1] ?? 0, stopping.signal);
      }
    }
  }

  /** The message is one of a type and in a shape that this group handles. */
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
  const subscription = await bus.subscribe({ group, topics, handle });
  const hideLag = showLag(bus, group, topics);
  // In the background: with Kafka it takes seconds, and nothing waits for it.
  void replayMended(bus, group, isHandled, stopping.signal).then(
    (count) => count > 0 && log.info({ group, count }, 'dead letters that fit their contract now were sent again'),
    (error: unknown) => {
      if (!stopping.signal.aborted) log.warn({ err: error, group }, 'dead letters were not looked through');
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

/** Each try to handle a message in a span of its own, where the trace of the message is recorded. */
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

/** Which messages of a batch were handled before. */
interface Memory {
  has(id: string): Promise<boolean>;
  add(id: string): void;
}

const placeOf = ({ topic, partition, offset }: Delivery): string => `${topic} ${partition} ${offset}`;

const idOf = (message: unknown): string | undefined => Message.safeParse(message).data?.id;

/** Rejects when the consumer stops: the batch in hand is then not committed and comes again. */
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
