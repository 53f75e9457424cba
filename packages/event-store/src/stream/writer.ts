import type { PoolClient } from 'pg';
import type { Span } from '@beltway/tracing';
import { CommandReused, Rejected, Unpublishable } from '../errors.ts';
import { append, appendOnce, statementsOf, type EventRow } from '../log/append.ts';
import { findCommand, streamsOfCommands } from '../log/find-command.ts';
import { sharedCommits as sharedCommitsOf } from '../log/shared-commits.ts';
import { isConflict, isTransient, violated } from '../pg/faults.ts';
import type { Statement } from '../pg/pipeline.ts';
import type { Store } from '../store.ts';
import { inAppendSpans, startAppendSpans, type TracedCommand } from './spans.ts';
import type { Context, Decider, Decision, Fact, Projection, Recorded } from '../types.ts';
import {
  catchUp,
  emptyState,
  loadState,
  snapshotDue,
  takeSnapshot,
  type CachedState,
  type LoadOptions,
  type SnapshotOptions,
} from './cached-state.ts';
import { noteConflict, noteGroup } from './statistics.ts';

/** A command in a stream's queue, and how to answer its caller. */
export interface PendingCommand<Command, Event extends Fact> {
  command: Command;
  commandId: string;
  context: Context;
  resolve: (decision: Decision<Event>) => void;
  reject: (error: unknown) => void;
  /** Where its trace is recorded: until it is answered. */
  span?: Span;
}

/** A stream that this process has commands for, or had lately. */
export interface OpenStream<State, Command, Event extends Fact> {
  id: string;
  /** Category and id, `sale-42`. */
  name: string;
  queue: PendingCommand<Command, Event>[];
  /** A writer works on the queue. */
  writing: boolean;
  cached: CachedState<State> | undefined;
  /** The sole-writer epoch in which the cached state matched the head of the log; while it lasts, the state is up to date. */
  epoch: number | undefined;
  /** How many groups are still appended under the stream's advisory lock, after a conflict with another instance. */
  lockedGroups: number;
  /** Its share of the category's count of command ids in memory. */
  countedCommandIds: number;
}

export const openStream = <State, Command, Event extends Fact>(
  id: string,
  name: string,
): OpenStream<State, Command, Event> => ({
  id,
  name,
  queue: [],
  writing: false,
  cached: undefined,
  epoch: undefined,
  lockedGroups: 0,
  countedCommandIds: 0,
});

/** A group of commands, decided and not yet appended. */
interface DecidedGroup<Command, Event extends Fact> {
  /** By `performance.now()`. */
  decidedAt: number;
  commands: PendingCommand<Command, Event>[];
  /** The events to append. */
  rows: EventRow[];
  /** Call them once the rows are durable. */
  answers: Array<() => void>;
  /** Commands that were decided before, or that are twice in this group. */
  repeats: PendingCommand<Command, Event>[];
  /** Of `rows`, those of commands whose trace is recorded. */
  traced?: TracedCommand[];
}

/** A group that was sent to the database and is not acknowledged yet. */
interface SentGroup<Command, Event extends Fact> {
  /** The group pipelined after this one names it as the group it depends on. */
  name: string;
  group: DecidedGroup<Command, Event>;
  epoch: number | undefined;
  /** Never rejects: resolves with the error, if there was one. */
  written: Promise<{ error: unknown } | undefined>;
}

export interface WriterOptions<State, Command, Event extends Fact> {
  store: Store;
  category: string;
  decider: Decider<State, Command, Event>;
  projections: Projection<Event>[];
  load: LoadOptions<State, Event>;
  snapshot: SnapshotOptions<State> | undefined;
  sharedCommits: boolean;
  /** Called when so many commands have been answered, or are about to be. */
  answered: (count: number) => void;
}

const MAX_GROUP = 500;
/** A queue of up to this many commands is not halved. */
const SMALL_GROUP = 16;
/** Groups of one stream that are sent and not acknowledged: the database finds the next one when it has finished one. */
const MAX_PIPELINED = 2;
/** After a conflict, so many groups take the stream's advisory lock: two instances that write at once then take turns. */
const LOCKED_GROUPS = 50;
const GIVE_UP_MS = 5_000;

let groupNames = 0;
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Decides, appends and answers the commands in a stream's queue. Resolves when the queue is empty; never rejects.
 *
 * The common case is the pipelined append (`appendPipelined`): no other instance writes to the stream, so each group is decided on
 * the cached state and sent before the one ahead of it is acknowledged. Everything else (the stream is not in memory, a conflict, a
 * fault, a group without events) is a sequential append (`settle`), which retries until each command has its answer.
 */
export function streamWriter<State, Command, Event extends Fact>({
  store,
  category,
  decider,
  projections,
  load,
  snapshot,
  sharedCommits,
  answered,
}: WriterOptions<State, Command, Event>): (stream: OpenStream<State, Command, Event>) => Promise<void> {
  type Stream = OpenStream<State, Command, Event>;
  type Cached = CachedState<State>;
  type Commands = PendingCommand<Command, Event>[];
  type Group = DecidedGroup<Command, Event>;

  async function write(stream: Stream): Promise<void> {
    stream.writing = true;
    while (stream.queue.length > 0) {
      if (stream.cached && stream.lockedGroups === 0 && !sharedCommits) await appendPipelined(stream, stream.cached);
      else await settle(stream, take(stream));
    }
    stream.writing = false;
  }

  const take = (stream: Stream, count = MAX_GROUP): Commands => stream.queue.splice(0, count);

  // Decide

  /**
   * Decides one command after the other, each on what those before it decided. Changes `cached`, which then contains uncommitted
   * events and must be dropped should the append fail. A rule that throws anything but `Rejected`, or decides what is no JSON, fails
   * its own command only. Throws when `evolve` fails: `cached` must be dropped then too.
   */
  function decide({ id, name }: Stream, cached: Cached, commands: Commands): Group {
    const group: Group = { decidedAt: performance.now(), commands, rows: [], answers: [], repeats: [] };
    const occurredAt = new Date();
    for (const one of commands) {
      const { commandId, context, command } = one;
      if (cached.commandIds.has(commandId)) {
        group.repeats.push(one);
        continue;
      }
      let events: Event[];
      let rows: EventRow[];
      let copies: Event[];
      try {
        events = decider.decide(command, cached.state);
        rows = events.map((event, index) => ({
          stream: name,
          id,
          version: cached.version + 1 + index,
          type: event.type,
          data: event.data,
          json: jsonOf(event),
          occurredAt,
          userId: context.userId ?? null,
          correlationId: context.correlationId ?? commandId,
          causationId: context.causationId ?? commandId,
          ...(index === 0 && {
            command: { id: commandId, size: events.length, fingerprint: context.fingerprint ?? null },
          }),
        }));
        copies = rows.map(publishableCopy);
      } catch (error) {
        if (!(error instanceof Rejected)) store.warn(error, `deciding a command of ${name} failed`);
        group.answers.push(() => one.reject(error));
        continue;
      }
      for (const copy of copies) cached.state = decider.evolve(cached.state, copy);
      cached.version += rows.length;
      group.rows.push(...rows);
      if (events.length > 0) cached.commandIds.add(commandId);
      if (one.span && events.length > 0) (group.traced ??= []).push({ span: one.span, rows });
      const { version } = cached;
      group.answers.push(() => one.resolve({ version, events, repeated: false }));
    }
    return group;
  }

  /**
   * The event as a reload would read it: state and caller may change theirs. Throws when it cannot be published: the log would keep it
   * forever, and no reader could parse its message.
   */
  function publishableCopy(row: EventRow): Event {
    const data = JSON.parse(row.json) as unknown;
    try {
      store.toMessages({ ...row, data });
    } catch (error) {
      throw new Unpublishable(row, error);
    }
    return { type: row.type, data } as Event;
  }

  /** The insert and what the projections write. Throws when a projection fails. */
  const statements = (rows: EventRow[]): Statement[] =>
    statementsOf(rows, (sql) =>
      projections.forEach((projection) => projection(sql, rows as unknown as Recorded<Event>[])),
    );

  // Pipelined append

  /** Appends groups for as long as nothing goes wrong, then hands what is left to `settle`. */
  async function appendPipelined(stream: Stream, cached: Cached): Promise<void> {
    const connection: { client?: PoolClient } = {};
    const rest = await pipeline(connection, stream, cached);
    connection.client?.release(isTransient(rest?.error) ? (rest?.error as Error) : undefined);
    await rest?.settle();
  }

  /** Why the pipeline stopped, and how the commands it leaves get their answers. */
  interface Rest {
    error: unknown;
    commands: Commands;
    settle: () => Promise<void>;
  }

  /** Opens the connection when it first needs it. Nothing is unacknowledged when it resolves. */
  async function pipeline(
    connection: { client?: PoolClient },
    stream: Stream,
    cached: Cached,
  ): Promise<Rest | undefined> {
    const sent: SentGroup<Command, Event>[] = [];
    /** Once set nothing more is sent: what was sent is awaited, then the pipeline ends. */
    let rest: Rest | undefined;
    const undecided = (commands: Commands, error: unknown): Rest => ({
      error,
      commands,
      settle: () => reloadAndSettle(stream, commands, error),
    });

    async function sendNext(): Promise<void> {
      const epoch = store.soleWriter.epoch();
      // With nothing sent, half of the queue is left: it is decided while the database writes the first half.
      const groupSize = sent.length > 0 ? MAX_GROUP : Math.max(SMALL_GROUP, Math.ceil(stream.queue.length / 2));
      const commands = take(stream, Math.min(groupSize, MAX_GROUP));
      let group: Group;
      let batch: Statement[];
      let endSpans: ReturnType<typeof startAppendSpans> | undefined;
      try {
        group = decide(stream, cached, commands);
        endSpans = startAppendSpans(group);
        batch = statements(group.rows);
      } catch (error) {
        endSpans?.(error);
        rest = undecided(commands, error);
        return;
      }
      if (group.rows.length === 0) {
        const now = () => appendGroup(stream, group, true, store.soleWriter.epoch());
        rest = { error: undefined, commands, settle: () => settle(stream, commands, now) };
        return;
      }
      try {
        connection.client ??= await store.writers.connect();
      } catch (error) {
        endSpans(error);
        rest = undecided(commands, error);
        return;
      }
      const name = String(++groupNames);
      const written = append(connection.client, batch, { group: name, after: sent.at(-1)?.name }).then(
        () => (endSpans(), undefined),
        (error: unknown) => {
          endSpans(error);
          return { error };
        },
      );
      sent.push({ name, group, epoch, written });
    }

    const mayPipeline = () => !rest && store.writers.waitingCount === 0 && !(snapshot && snapshotDue(cached, snapshot));

    while (sent.length > 0 || (!rest && stream.queue.length > 0)) {
      if (sent.length === 0) await sendNext();
      while (sent.length > 0 && sent.length < MAX_PIPELINED && stream.queue.length > 0 && mayPipeline())
        await sendNext();
      const first = sent.shift();
      if (!first) continue;
      const failed = await first.written;
      if (failed) {
        // The groups pipelined after it fail too, and what was decided on them and not sent is as wrong.
        for (const { written } of sent) await written;
        const commands = [first, ...sent].flatMap(({ group }) => group.commands);
        return undecided([...commands, ...(rest?.commands ?? [])], failed.error);
      }
      store.appended();
      stream.epoch = first.epoch;
      answer(first.group);
      if (sent.length === 0 && !rest) {
        if (snapshot && snapshotDue(cached, snapshot)) takeSnapshot(store, stream.name, cached, snapshot);
        // Other streams wait for a connection; `write` takes another one.
        if (store.writers.waitingCount > 0) return undefined;
      }
      await nextTurn(); // callers that were answered send their next commands
    }
    return rest;
  }

  /** The cached state contains events that were not committed: it is read again, and the commands are decided again. */
  async function reloadAndSettle(stream: Stream, commands: Commands, error: unknown): Promise<void> {
    for (let first = true; commands.length > 0; first = false)
      await settle(stream, commands.splice(0, MAX_GROUP), first ? () => Promise.reject(error) : undefined);
  }

  // Sequential append

  /** Tries until each of the commands is answered. Never rejects. `attempt` is the first try. */
  async function settle(
    stream: Stream,
    commands: Commands,
    attempt: () => Promise<void> = () => decideAndAppend(stream, commands, true),
  ): Promise<void> {
    const giveUp = Date.now() + GIVE_UP_MS;
    let pause = 5;
    let open = commands;
    for (let next = attempt; open.length > 0; next = () => decideAndAppend(stream, open, false)) {
      try {
        await next();
        return;
      } catch (error) {
        stream.cached = undefined; // it may contain uncommitted events
        if (isConflict(error)) {
          noteConflict(category);
          stream.lockedGroups = LOCKED_GROUPS;
          if (Date.now() < giveUp) continue;
        } else if (violated(error) === 'events_command') {
          // Decided before: by this stream (known after the reload) or, a mistake of the caller, by another.
          open = await rejectReused(stream, open).catch(() => open);
          if (Date.now() < giveUp) continue;
        } else if (isTransient(error)) {
          // Whether it was committed is not known: it is tried again, and the command ids tell.
          if (Date.now() < giveUp) {
            await new Promise((resolve) => setTimeout(resolve, pause));
            pause = Math.min(pause * 2, 500);
            continue;
          }
        } else if (open.length > 1) {
          // One of them breaks the append: tried one by one, so that only that one fails.
          for (const one of open) await settle(stream, [one]);
          return;
        }
        for (const one of open) answerOne(() => one.reject(error));
        return;
      }
    }
  }

  /** Loads the stream if it is not in memory, decides and appends; after a conflict, under the stream's advisory lock. */
  async function decideAndAppend(stream: Stream, commands: Commands, isFirst: boolean): Promise<void> {
    const isUnknown = isFirst && stream.epoch === undefined;
    if (isUnknown && commands.every(({ context }) => context.begins)) stream.cached ??= emptyState(decider);
    const wasCached = stream.cached !== undefined;
    // Read before the stream is loaded: what another instance appends from now on may be missing from what is read.
    const epoch = store.soleWriter.epoch();
    const cached = (stream.cached ??= await loadState(store.pool, stream.name, load, store.warn));
    if (stream.lockedGroups > 0) return appendLocked(stream, cached, commands);
    return appendGroup(stream, decide(stream, cached, commands), wasCached, epoch);
  }

  /** `epoch`: as it was before the cached state was last compared with the log. */
  async function appendGroup(
    stream: Stream,
    group: Group,
    wasCached: boolean,
    epoch: number | undefined,
  ): Promise<void> {
    const cached = stream.cached!;
    if (group.rows.length > 0) {
      await inAppendSpans(group, () =>
        sharedCommits ? appendShared(group.rows) : appendOnce(store.writers, statements(group.rows)),
      );
      store.appended();
    } else if (wasCached && (epoch === undefined || epoch !== stream.epoch) && group.answers.length > 0) {
      // An append is fenced, a refusal is not: what another instance appended may have made the command acceptable.
      const { version } = cached;
      await catchUp(store.pool, stream.name, cached, load);
      if (cached.version > version) return appendGroup(stream, decide(stream, cached, group.commands), false, epoch);
    }
    conclude(stream, cached, group, epoch);
  }

  const appendShared = sharedCommitsOf(store.writers, statements);

  async function appendLocked(stream: Stream, cached: Cached, commands: Commands): Promise<void> {
    const epoch = store.soleWriter.epoch();
    const client = await store.writers.connect();
    let failed: Error | undefined;
    try {
      stream.lockedGroups--;
      await client.query('begin');
      await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [stream.name]);
      await catchUp(client, stream.name, cached, load);
      const group = decide(stream, cached, commands);
      if (group.rows.length > 0) {
        await inAppendSpans(group, () => append(client, statements(group.rows), { begun: true }));
        store.appended();
      } else await client.query('rollback');
      conclude(stream, cached, group, epoch);
    } catch (error) {
      failed = error as Error;
      throw error;
    } finally {
      if (failed && !isTransient(failed)) await client.query('rollback').catch(() => undefined);
      client.release(failed && isTransient(failed) ? failed : undefined);
    }
  }

  // Answer

  /** The group is in the log, and nothing is decided beyond it. */
  function conclude(stream: Stream, cached: Cached, group: Group, epoch: number | undefined): void {
    stream.epoch = epoch;
    answer(group);
    if (snapshot && snapshotDue(cached, snapshot)) takeSnapshot(store, stream.name, cached, snapshot);
  }

  function answer({ decidedAt, commands, rows, answers, repeats }: Group): void {
    const seconds = (performance.now() - decidedAt) / 1_000;
    noteGroup({ category, commands: commands.length, events: rows.length, seconds });
    answered(commands.length - repeats.length);
    answers.forEach((give) => give());
    void answerRepeats(repeats);
  }

  function answerOne(give: () => void): void {
    answered(1);
    give();
  }

  /** Reads the earlier decision from the log. The same id with another body is refused. */
  async function answerRepeats(repeats: Commands): Promise<void> {
    for (const one of repeats) {
      try {
        const past = await findCommand<Event>(store.pool, one.commandId, load.upcast);
        const { fingerprint } = one.context;
        if (!past) throw new Error(`command ${one.commandId} is known but not in the log`);
        if (fingerprint && past.fingerprint && fingerprint !== past.fingerprint) throw new CommandReused();
        answerOne(() => one.resolve({ version: past.version, events: past.events, repeated: true }));
      } catch (error) {
        answerOne(() => one.reject(error));
      }
    }
  }

  async function rejectReused(stream: Stream, open: Commands): Promise<Commands> {
    const streams = await streamsOfCommands(
      store.pool,
      open.map((one) => one.commandId),
    );
    return open.filter((one) => {
      const elsewhere = streams.get(one.commandId);
      if (elsewhere === undefined || elsewhere === stream.name) return true;
      answerOne(() => one.reject(new CommandReused()));
      return false;
    });
  }

  return write;
}

/** What the log will hold of an event's data. */
function jsonOf({ type, data }: Fact): string {
  const json = JSON.stringify(data) as string | undefined;
  if (json === undefined) throw new TypeError(`the data of ${type} cannot be written as JSON`);
  return json;
}
