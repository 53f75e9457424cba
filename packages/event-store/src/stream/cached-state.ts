import { prepared } from '../pg/prepared.ts';
import type { Store } from '../store.ts';
import type { Decider, Fact, Queries, Upcast } from '../types.ts';

export interface SnapshotOptions<State> {
  /** Increment this when the shape of the state changes, so that older snapshots are ignored. */
  shape: number;
  write(state: State): unknown;
  read(json: unknown): State;
  /** Events between snapshots. Default 1,000. */
  every?: number;
  /** Minimum time between two snapshots of a stream in this process. Default 2 s. */
  pauseMs?: number;
}

export interface LoadOptions<State, Event extends Fact> {
  decider: Pick<Decider<State, never, Event>, 'initial' | 'evolve'>;
  upcast: Upcast<Event>;
  snapshot?: SnapshotOptions<State>;
}

/** A stream's state in memory. Contains uncommitted events while a group is being appended. */
export interface CachedState<State> {
  state: State;
  version: number;
  snapshotVersion: number;
  /** When this process took the last snapshot. */
  snapshotAt: number;
  /** How long that snapshot blocked the event loop, in ms. */
  snapshotCostMs: number;
  /** Ids of all commands that the stream has decided, so that repeats are recognized without a query. */
  commandIds: Set<string>;
}

const PAGE = 5_000;

/** The state of a stream without events. */
export const emptyState = <State>({ initial }: { initial: () => State }): CachedState<State> => ({
  state: initial(),
  version: 0,
  snapshotVersion: 0,
  snapshotAt: 0,
  snapshotCostMs: 0,
  commandIds: new Set(),
});

/** Loads a stream from its latest readable snapshot and the events after it. */
export async function loadState<State, Event extends Fact>(
  db: Queries,
  stream: string,
  options: LoadOptions<State, Event>,
  warn: (error: unknown, message: string) => void,
): Promise<CachedState<State>> {
  const { decider, snapshot } = options;
  const cached = emptyState(decider);
  if (snapshot) {
    const { rows } = await db.query<{ version: string; state: unknown }>(
      prepared('select version, state from snapshots where stream = $1 and shape = $2', [stream, snapshot.shape]),
    );
    const state =
      rows[0] &&
      readSnapshot(snapshot, rows[0].state, (error) =>
        warn(error, `the snapshot of ${stream} cannot be read; all events are read instead`),
      );
    if (rows[0] && state) {
      cached.state = state.value;
      cached.version = cached.snapshotVersion = Number(rows[0].version);
      const commands = await db.query<{ command_id: string }>(
        'select command_id from events where stream = $1 and version <= $2 and command_id is not null',
        [stream, cached.version],
      );
      for (const { command_id } of commands.rows) cached.commandIds.add(command_id);
    }
  }
  await catchUp(db, stream, cached, options);
  return cached;
}

/** Undefined if the snapshot cannot be read, because an invalid snapshot must not make a command fail. */
function readSnapshot<State>(
  { read }: SnapshotOptions<State>,
  json: unknown,
  warn: (error: unknown) => void,
): { value: State } | undefined {
  try {
    return { value: read(json) };
  } catch (error) {
    warn(error);
    return undefined;
  }
}

/** Reads the events after `cached.version`, which this process or another process has appended. */
export async function catchUp<State, Event extends Fact>(
  db: Queries,
  stream: string,
  cached: CachedState<State>,
  { decider, upcast }: LoadOptions<State, Event>,
): Promise<void> {
  for (;;) {
    const { rows } = await db.query<{ version: string; type: string; data: unknown; command_id: string | null }>(
      prepared(
        'select version, type, data, command_id from events where stream = $1 and version > $2 order by version limit $3',
        [stream, cached.version, PAGE],
      ),
    );
    for (const { version, type, data, command_id } of rows) {
      cached.state = decider.evolve(cached.state, upcast({ type, data }));
      cached.version = Number(version);
      if (command_id) cached.commandIds.add(command_id);
    }
    if (rows.length < PAGE) return;
  }
}

/**
 * Limits snapshots to a hundredth of the time. The database works about three times as long on a snapshot as this
 * process.
 */
const PAUSE_PER_COST = 400;

/**
 * True once `every` events have been appended and the pause is over. The pause grows with the cost of the last
 * snapshot.
 */
export const snapshotDue = <State>(
  { version, snapshotVersion, snapshotAt, snapshotCostMs }: CachedState<State>,
  { every = 1_000, pauseMs = 2_000 }: SnapshotOptions<State>,
): boolean =>
  version - snapshotVersion >= every && Date.now() - snapshotAt >= Math.max(pauseMs, snapshotCostMs * PAUSE_PER_COST);

/**
 * Stores the state to shorten the next load. All events of the state must be committed. Callers do not wait for the
 * snapshot. The function never throws, because a failed snapshot only makes the next load longer. The time of the next
 * snapshot does not depend on whether this snapshot succeeds.
 */
export function takeSnapshot<State>(
  { pool, warn }: Store,
  stream: string,
  cached: CachedState<State>,
  { shape, write }: SnapshotOptions<State>,
): void {
  const { version } = cached;
  const failed = (error: unknown) => warn(error, `no snapshot of ${stream} was taken`);
  const began = performance.now();
  cached.snapshotAt = Date.now();
  cached.snapshotVersion = version;
  let state: string;
  try {
    state = JSON.stringify(write(cached.state));
  } catch (error) {
    return failed(error);
  }
  cached.snapshotCostMs = performance.now() - began;
  pool
    .query(
      `insert into snapshots (stream, version, shape, state) values ($1, $2, $3, $4)
       on conflict (stream) do update set version = excluded.version, shape = excluded.shape, state = excluded.state, taken_at = now()
       where snapshots.version < excluded.version or snapshots.shape <> excluded.shape`,
      [stream, version, shape, state],
    )
    .catch(failed);
}
