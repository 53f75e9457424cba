import { Message } from '@beltway/contracts/common';
import type { Pool, PoolClient } from 'pg';
import type { z } from 'zod';
import type { Bus, BusLog, Delivery, Subscription } from './bus.ts';
import { showLag } from './consume-lag.ts';
import { deadLetterTopic, letterOf } from './dead-letters.ts';
import { openInbox } from './inbox.ts';
import { counter } from './metrics.ts';
import { isTransient } from './postgres.ts';

const SWEEP_MS = 60 * 60_000;

const handled = counter('consumed_messages_total', 'Messages a group has dealt with', ['group', 'outcome']);
const parked = counter('dead_letters_total', 'Messages a group could not handle and parked', ['group', 'type']);

export interface Handler {
  schema: z.ZodType;
  /** Its effect is written by `tx` (with the inbox row), or by a command whose id is the message's (with no inbox row). */
  run: { tx: (message: never, tx: PoolClient) => Promise<void> } | { command: (message: never) => Promise<void> };
}

/**
 * For effects in the service's own database: `tx` is a client inside the transaction that also records the message as
 * handled. What is done outside of it (mail, a call) may be done twice and needs a key of its own.
 */
export const on = <Schema extends z.ZodType>(
  schema: Schema,
  run: (message: z.infer<Schema>, tx: PoolClient) => Promise<void>,
): Handler => ({ schema, run: { tx: run } });

/** For a command to the event store with `commandId = message.id`: the store knows a command it has decided. */
export const onCommand = <Schema extends z.ZodType>(
  schema: Schema,
  run: (message: z.infer<Schema>) => Promise<void>,
): Handler => ({ schema, run: { command: run } });

interface ConsumeOptions {
  bus: Bus;
  /** The service's own database, migrated by `packages/kit/migrations/inbox`. */
  pool: Pool;
  log: BusLog;
  /** Reader and purpose: `ticketing.catalog`. Its dead letters go to `ticketing.catalog.dead-letters`. */
  group: string;
  topics: string[];
  /** By message type. Other types, and versions the schema does not know, are skipped. */
  handlers: Record<string, Handler>;
  /**
   * What must be dealt with one after the other; with different answers, at the same time. Default: all of a batch is. For commands:
   * what is decided at the same time can be written together.
   */
  apart?: (message: unknown) => string;
  /** How often a failing message is tried before it is parked. Default 5. */
  attempts?: number;
  /** Milliseconds between the tries; the last one counts for all further. */
  pauses?: number[];
}

/**
 * The one way a service listens. A message has its effect once however often it is delivered; one that fails by itself is
 * parked as a dead letter and the group goes on; when something around it is away (database, bus, another service), the
 * group waits for as long as it takes.
 */
export async function consume(options: ConsumeOptions): Promise<Subscription> {
  const { bus, pool, log, group, topics, handlers, apart, attempts = 5, pauses = [100, 300, 1_000, 2_000] } = options;
  const inbox = openInbox(pool, group);
  const usesInbox = Object.values(handlers).some(({ run }) => 'tx' in run);
  const stopping = new AbortController();
  // Places dealt with while their batch is not through: when it comes again, nothing of them has to be done twice.
  const settled = new Set<string>();

  async function handle(batch: Delivery[]): Promise<void> {
    const ids = batch.map(({ message }) => idOf(message)).filter((id) => id !== undefined);
    const known = usesInbox ? await inbox.known(ids) : new Set<string>();
    const lines = apart ? [...Map.groupBy(batch, ({ message }) => apart(message)).values()] : [batch];
    const ends = await Promise.allSettled(
      lines.map(async (line) => {
        for (const delivery of line) {
          if (settled.has(placeOf(delivery))) continue;
          handled.inc({ group, outcome: await deal(delivery, known) });
          settled.add(placeOf(delivery));
        }
      }),
    );
    // Only when nothing of it is under way any more.
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
    for (const delivery of batch) settled.delete(placeOf(delivery));
  }

  async function deal(delivery: Delivery, known: Set<string>): Promise<'done' | 'repeated' | 'skipped' | 'parked'> {
    const envelope = Message.safeParse(delivery.message);
    if (!envelope.success) return park(delivery, envelope.error, 0);
    const { id, type } = envelope.data;
    const handler = Object.hasOwn(handlers, type) ? handlers[type] : undefined;
    if (!handler) return 'skipped';
    if (known.has(id.toLowerCase())) return 'repeated';
    const parsed = handler.schema.safeParse(delivery.message);
    if (!parsed.success) {
      // A version of later days: a reader that knows it will come with the code that needs it.
      if (parsed.error.issues.some(({ path }) => path[0] === 'version')) return 'skipped';
      return park(delivery, parsed.error, 0);
    }
    for (let attempt = 1; ; attempt++) {
      try {
        return await run(handler, id, parsed.data as never);
      } catch (error) {
        // The bus delivers the batch again, with growing pauses, for as long as it takes.
        if (isTransient(error)) throw error;
        if (attempt >= attempts) return park(delivery, error, attempt);
        log.warn({ err: error, group, type, id, attempt }, 'a message failed and is tried again');
        await pauseFor(pauses[Math.min(attempt, pauses.length) - 1] ?? 0, stopping.signal);
      }
    }
  }

  async function run({ run }: Handler, id: string, message: never): Promise<'done' | 'repeated'> {
    if ('command' in run) {
      await run.command(message);
      return 'done';
    }
    const { tx: effect } = run;
    return (await inbox.once(id, (tx) => effect(message, tx))) ? 'done' : 'repeated';
  }

  async function park(delivery: Delivery, error: unknown, tried: number): Promise<'parked'> {
    const letter = letterOf(group, delivery, error, tried);
    await bus.publish(deadLetterTopic(group), [letter]);
    const { topic, partition, offset } = delivery;
    const { type, messageId } = letter.data;
    parked.inc({ group, type });
    log.error(
      { err: error, group, topic, partition, offset: String(offset), type, id: messageId },
      'parked a dead letter',
    );
    return 'parked';
  }

  const sweep = () =>
    inbox.sweep().catch((error: unknown) => log.warn({ err: error, group }, 'the inbox was not swept'));

  await bus.ensureTopics([...topics, deadLetterTopic(group)]);
  const subscription = await bus.subscribe({ group, topics, handle });
  const hideLag = showLag(bus, group, topics);
  if (usesInbox) void sweep();
  const sweeping = usesInbox ? setInterval(() => void sweep(), SWEEP_MS).unref() : undefined;

  return {
    async stop() {
      clearInterval(sweeping);
      stopping.abort();
      hideLag();
      await subscription.stop();
    },
  };
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
