import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import {
  openStore,
  Rejected,
  streams,
  streamsWithSharedCommits,
  uuidFrom,
  type Decider,
  type Decision,
  type Fact,
  type Projection,
} from '@beltway/event-store';
import { eventually } from '@beltway/kit/testing';
import { proxyTo } from './proxy.ts';

/**
 * Tests random interleavings of several stores on one real PostgreSQL. Every chunk between a store and the database
 * waits until the scheduler releases it, in any order, or breaks its connection in either direction. Afterwards the log
 * is replayed through `decide`: every command in it must have been decided on the state before it, and every answer
 * must follow from the log.
 */
export type Event =
  | { type: 'Filled'; data: { size: number; taken: number } }
  /** `left` depends on all earlier events, so it reveals a decision on a wrong state. */
  | { type: 'Taken'; data: { count: number; left: number } };

export type Command =
  | { type: 'Fill'; size: number }
  | { type: 'Take'; count: number }
  | { type: 'TakeTwice'; count: number }
  /** Decides nothing, or rejects. */
  | { type: 'Check'; atLeast: number };

interface State {
  /** The data object of the first event itself; later events mutate it. */
  box: { size: number; taken: number } | undefined;
}

const take = (state: State, count: number, times: number): Event[] => {
  const left = state.box ? state.box.size - state.box.taken : 0;
  if (count * times > left) throw new Rejected('empty');
  return Array.from({ length: times }, (_, n) => ({ type: 'Taken', data: { count, left: left - count * (n + 1) } }));
};

const decider: Decider<State, Command, Event> = {
  initial: () => ({ box: undefined }),
  decide: (command, state) => {
    switch (command.type) {
      case 'Fill':
        return [{ type: 'Filled', data: { size: command.size, taken: 0 } }];
      case 'Take':
        return take(state, command.count, 1);
      case 'TakeTwice':
        return take(state, command.count, 2);
      case 'Check':
        take(state, command.atLeast, 1);
        return [];
    }
  },
  evolve: (state, { type, data }) => {
    if (type === 'Taken') state.box!.taken += data.count;
    else if (state.box) state.box.size += data.size;
    else state.box = data;
    return state;
  },
};

const OLD_EVENT = { type: 'BoxFilled', data: { things: 3 } };
const FILLED_BEFORE: Command = { type: 'Fill', size: OLD_EVENT.data.things };

const upcasts = {
  box: ({ type, data }: Fact): Event =>
    type === OLD_EVENT.type
      ? { type: 'Filled', data: { size: (data as typeof OLD_EVENT.data).things, taken: 0 } }
      : ({ type, data } as Event),
};

const projectTotals: Projection<Event> = (sql, group) => {
  const taken = Map.groupBy(group, ({ stream }) => stream);
  sql.query(
    `insert into totals as t (stream, taken) select s, n from unnest($1::text[], $2::int[]) r (s, n)
     on conflict (stream) do update set taken = t.taken + excluded.taken`,
    [
      [...taken.keys()],
      [...taken.values()].map((events) =>
        events.reduce((sum, { type, data }) => sum + (type === 'Taken' ? data.count : 0), 0),
      ),
    ],
  );
};

/** One step of an instance. The commands of a burst are sent concurrently; the next step begins after their answers. */
export type Step =
  | { burst: Command[]; box: number; repeatedBy?: number }
  /** The instance shuts down cleanly and restarts. */
  | 'restart';

export interface Plan {
  /** True to use `streamsWithSharedCommits`. */
  sharedCommits: boolean;
  snapshots: boolean;
  /** The first box begins with an event in an old shape. */
  oldEvent: boolean;
  /**
   * The first instance runs alone until the other instances start, each with its first step. If false, all instances
   * start together.
   */
  firstIsAlone: boolean;
  /** Steps of each instance. */
  instances: Step[][];
  /** One number below 100 per chunk; a low number breaks the chunk's connection. */
  fates: number[];
}

const command = fc.oneof(
  { weight: 2, arbitrary: fc.record({ type: fc.constant('Fill' as const), size: fc.integer({ min: 0, max: 4 }) }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('Take' as const), count: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('TakeTwice' as const), count: fc.constant(1) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('Check' as const), atLeast: fc.integer({ min: 1, max: 2 }) }) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record(
      {
        burst: fc.array(command, { minLength: 1, maxLength: 7 }),
        box: fc.constantFrom(0, 0, 0, 1, 2),
        repeatedBy: fc.nat(2),
      },
      { requiredKeys: ['burst', 'box'] },
    ),
  },
  { weight: 2, arbitrary: fc.constant('restart' as const) },
);
export const plans: fc.Arbitrary<Plan> = fc.record({
  sharedCommits: fc.constantFrom(false, false, false, true),
  snapshots: fc.boolean(),
  oldEvent: fc.boolean(),
  firstIsAlone: fc.boolean(),
  instances: fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 3 }),
  fates: fc.array(fc.nat(99), { minLength: 200, maxLength: 200 }),
});

interface Answer {
  box: number;
  commandId: string;
  command: Command;
  /** The stream's version at the decision lies between these two. */
  from: number;
  to: number;
  outcome: { decision: Decision<Event> } | { refused: string } | { unknown: unknown };
}

export interface TestDatabase {
  url: string;
  rows: (sql: string, values?: unknown[]) => Promise<Array<Record<string, unknown>>>;
}

const BREAKS_BELOW = 3;
const MAX_BREAKS = 3;
const QUIET_MS = 1.5;
/** The chunks of login, `listen`, the announcement, and the first checks for the sole writer and other writers. */
const ANNOUNCING_CHUNKS = 6;
const LONGEST_MS = 60_000;
let schedules = 0;

/** Runs one plan in one order. Throws when an answer or the log is wrong. */
export async function runSchedule({ url, rows }: TestDatabase, plan: Plan, scheduler: fc.Scheduler): Promise<void> {
  const schedule = ++schedules;
  const idOf = (box: number) => `${schedule}-${box}`;
  let lastTraffic = performance.now();
  let freely = false;
  let chunks = 0;
  let breaks = 0;
  const highest = [0, 0, 0];
  const answers: Answer[] = [];
  const closing: Array<() => Promise<void>> = [];

  /** `late` delays the instance's announcement. */
  async function open(late: boolean) {
    let announced = 0;
    const through = await proxyTo(url, async ({ connection, direction, bytes }) => {
      // A store announces itself and receives announcements on its first connection. Announcements to the store arrive
      // without delay, because a store waits for them in real time (sole-writer.int.test.ts).
      const isOfPeers = connection === 1;
      const isLogin = bytes[0] === 0 || 'pR'.includes(String.fromCharCode(bytes[0]!));
      const hops = isOfPeers ? (late && direction === 'to server' && ++announced <= ANNOUNCING_CHUNKS ? 5 : 0) : 1;
      if (isLogin && !isOfPeers) return 'pass';
      for (let hop = 0; hop < hops && !freely; hop++) {
        lastTraffic = performance.now();
        await scheduler.schedule(Promise.resolve(), `connection ${connection} ${direction}`);
        lastTraffic = performance.now();
      }
      if (freely || isOfPeers || breaks >= MAX_BREAKS) return 'pass';
      if (plan.fates[chunks++ % plan.fates.length]! >= BREAKS_BELOW) return 'pass';
      breaks++;
      return 'cut';
    });
    const store = openStore({ url: through, upcasts, toMessages: () => [], soleWriterTimes: { withOthersMs: 10 } });
    const boxes = (plan.sharedCommits ? streamsWithSharedCommits : streams)(store, {
      category: 'box',
      decider,
      projections: [projectTotals],
      ...(plan.snapshots && {
        snapshot: {
          shape: 1,
          every: 3,
          pauseMs: 0,
          write: (state: State) => ({ ...state.box }),
          read: (json: unknown) => ({ box: 'size' in (json as object) ? (json as State['box']) : undefined }),
        },
      }),
    });
    let closed: Promise<void> | undefined;
    const close = () => (closed ??= boxes.drain().then(() => store.close()));
    closing.push(close);
    return { store, boxes, close };
  }

  const opened = new Map<number, Awaited<ReturnType<typeof open>>>();
  const instance = async (index: number) => {
    const found = opened.get(index) ?? (await open(true));
    opened.set(index, found);
    return found;
  };

  async function ask(index: number, box: number, commandId: string, command: Command): Promise<void> {
    const from = highest[box]!;
    const { boxes } = await instance(index);
    const outcome = await boxes.handle(idOf(box), command, { commandId }).then(
      (decision): Answer['outcome'] => {
        highest[box] = Math.max(highest[box]!, decision.version);
        return { decision };
      },
      (error: unknown) => (error instanceof Rejected ? { refused: error.code } : { unknown: error }),
    );
    const [row] = await rows('select coalesce(max(version), 0)::int as last from events where stream = $1', [
      `box-${idOf(box)}`,
    ]);
    answers.push({ box, commandId, command, from, to: Number(row!['last']), outcome });
  }

  async function follow(index: number): Promise<void> {
    for (const [at, step] of plan.instances[index]!.entries()) {
      await scheduler.schedule(Promise.resolve(), `instance ${index} goes on`);
      if (step === 'restart') {
        await opened.get(index)?.close();
        opened.delete(index);
        continue;
      }
      const { burst, box, repeatedBy } = step;
      const asked = burst.flatMap((command, n) => {
        const commandId = `schedule-${process.pid}-${schedule}-${index}-${at}-${n}`;
        const also = repeatedBy === undefined ? [] : [repeatedBy % plan.instances.length];
        return [index, ...also].map((by) => ask(by, box, commandId, command));
      });
      await Promise.all(asked);
    }
  }

  const oldCommand = `schedule-${process.pid}-${schedule}-old`;
  if (plan.oldEvent)
    await rows(
      `insert into events (stream, version, type, data, command_id, command_size, correlation_id, causation_id, occurred_at)
       values ($1, 1, $2, $3, $4, 1, 'c', 'c', now())`,
      [`box-${idOf(0)}`, OLD_EVENT.type, OLD_EVENT.data, uuidFrom(oldCommand)],
    );
  for (const index of plan.instances.keys())
    if (index === 0 || !plan.firstIsAlone) opened.set(index, await open(false));
  // Waits until the first instance has detected that no other instance runs.
  if (plan.firstIsAlone) await eventually(() => opened.get(0)!.store.soleWriter.epoch() !== undefined);
  const done = { all: false };
  const following = Promise.all(plan.instances.map((_, index) => follow(index))).finally(() => (done.all = true));
  following.catch(() => undefined);
  const began = performance.now();
  while (!done.all) {
    // Once nothing has moved for a while, the effects of the last chunk have arrived.
    while (performance.now() - lastTraffic < QUIET_MS) await pause(0);
    if (performance.now() - began > LONGEST_MS) throw new Error('the schedule does not come to an end');
    if (scheduler.count() > 0) await scheduler.waitNext(1);
    else await pause(1);
    lastTraffic = performance.now();
  }
  freely = true;
  let ended = false;
  const ending = Promise.all(closing.map((close) => close())).finally(() => (ended = true));
  while (!ended) {
    if (scheduler.count() > 0) await scheduler.waitNext(scheduler.count());
    else await pause(1);
  }
  await Promise.all([following, ending]);
  if (plan.oldEvent) {
    const decision = { version: 1, events: [upcasts.box(OLD_EVENT)], repeated: false };
    answers.push({ box: 0, commandId: oldCommand, command: FILLED_BEFORE, from: 0, to: 1, outcome: { decision } });
  }
  for (const box of highest.keys())
    await judge(
      rows,
      `box-${idOf(box)}`,
      answers.filter((answer) => answer.box === box),
    );
}

interface Logged {
  version: number;
  type: string;
  data: unknown;
  /** `commandId` and `size` are set only on the first event of a command. */
  commandId: string | null;
  size: number | null;
}

const stateAfter = (events: readonly Event[]): State =>
  events.reduce((state, event) => decider.evolve(state, structuredClone(event)), decider.initial());

/** The command's decision on these events, or the code of its rejection. */
function decidedAfter(events: readonly Event[], command: Command): Event[] | string {
  try {
    return decider.decide(command, stateAfter(events));
  } catch (error) {
    return (error as Rejected).code;
  }
}

async function judge(rows: TestDatabase['rows'], stream: string, answers: Answer[]): Promise<void> {
  const log = (await rows(
    `select version::int, type, data, command_id as "commandId", command_size::int as size from events where stream = $1 order by version`,
    [stream],
  )) as unknown as Logged[];
  const events = log.map(upcasts.box);
  const wrong = (what: string, ...details: unknown[]): never => {
    throw new Error(`${what}: ${details.map((detail) => JSON.stringify(detail)).join(' ')}\n${JSON.stringify(log)}`);
  };
  if (log.some(({ version }, index) => version !== index + 1)) wrong('a version is missing');

  const sent = new Map(answers.map(({ commandId, command }) => [uuidFrom(commandId), command]));
  const firsts = new Map<string, number>();
  for (let at = 0; at < log.length; at += log[at]!.size!) {
    const { version, commandId, size } = log[at]!;
    if (commandId === null || size === null) return wrong('an event belongs to no command', version);
    const command = sent.get(commandId) ?? wrong('the log holds a command that was never sent', commandId);
    const decided = decidedAfter(events.slice(0, at), command);
    if (!isDeepStrictEqual(decided, events.slice(at, at + size)))
      wrong('the log holds what could not be decided there', command, version, { decided });
    firsts.set(commandId, version);
  }

  for (const { commandId, command, from, to, outcome } of answers) {
    if ('unknown' in outcome) continue; // the log may contain the command or not, which was checked above
    const first = firsts.get(uuidFrom(commandId));
    if ('decision' in outcome && outcome.decision.events.length > 0) {
      const { version, events: granted } = outcome.decision;
      if (first === undefined || !isDeepStrictEqual(events.slice(first - 1, version), granted))
        wrong('granted, and not in the log', command, outcome);
      continue;
    }
    const expected = 'decision' in outcome ? [] : outcome.refused;
    if (first !== undefined && first <= from) wrong('refused, though it was decided before', command, outcome);
    const possible = Array.from({ length: to - from + 1 }, (_, n) => decidedAfter(events.slice(0, from + n), command));
    if (!possible.some((decided) => isDeepStrictEqual(decided, expected)))
      wrong('an answer that follows from no state there was', command, outcome, { from, to });
  }

  const [total] = await rows('select taken from totals where stream = $1', [stream]);
  const taken = events.reduce((sum, { type, data }) => sum + (type === 'Taken' ? data.count : 0), 0);
  if (Number(total?.['taken'] ?? 0) !== taken) wrong('the projection differs', total, taken);
}
