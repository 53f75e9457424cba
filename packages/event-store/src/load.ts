import { prepared } from './prepared.ts';
import type { Decider, Fact, Queries } from './types.ts';

export interface SnapshotOptions<State> {
  /** Raise it when the shape of the state changes: older snapshots are then passed over. */
  shape: number;
  write(state: State): unknown;
  read(json: unknown): State;
  /** Events between snapshots. Default 1,000. */
  every?: number;
  /** Least time between two snapshots of a stream in this process. Default 2 s. */
  pauseMs?: number;
}

export interface Loading<State, Event extends Fact> {
  decider: Pick<Decider<State, never, Event>, 'initial' | 'evolve'>;
  /** Turns an old shape of an event into today's. */
  upcast?: (stored: { type: string; data: unknown }) => Event;
  snapshot?: SnapshotOptions<State>;
}

/** A stream as this process knows it. */
export interface Loaded<State> {
  state: State;
  version: number;
  snapshotVersion: number;
  /** When this process wrote the last one. */
  snapshotAt: number;
  /** How long it held up everything else. */
  snapshotCostMs: number;
  /** Ids of all commands the stream has decided: a refusal can be told from a repeat without asking the database. */
  known: Set<string>;
}

const PAGE = 5_000;

/** A stream in which nothing has happened. */
export const unbegun = <State>({ initial }: { initial: () => State }): Loaded<State> => ({
  state: initial(),
  version: 0,
  snapshotVersion: 0,
  snapshotAt: 0,
  snapshotCostMs: 0,
  known: new Set(),
});

export async function load<State, Event extends Fact>(
  db: Queries,
  stream: string,
  loading: Loading<State, Event>,
  warn: (error: unknown, message: string) => void,
): Promise<Loaded<State>> {
  const { decider, snapshot } = loading;
  const loaded = unbegun(decider);
  if (snapshot) {
    const { rows } = await db.query<{ version: string; state: unknown }>(
      prepared('select version, state from snapshots where stream = $1 and shape = $2', [stream, snapshot.shape]),
    );
    const state =
      rows[0] &&
      readSnapshot(snapshot, rows[0].state, (error) =>
        warn(error, `a snapshot of ${stream} cannot be read: all of its events are`),
      );
    if (rows[0] && state) {
      loaded.state = state.value;
      loaded.version = loaded.snapshotVersion = Number(rows[0].version);
      const commands = await db.query<{ command_id: string }>(
        'select command_id from events where stream = $1 and version <= $2 and command_id is not null',
        [stream, loaded.version],
      );
      for (const { command_id } of commands.rows) loaded.known.add(command_id);
    }
  }
  await catchUp(db, stream, loaded, loading);
  return loaded;
}

/** Nothing when it cannot be read: a snapshot never fails a command. */
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

/** Reads what was appended after `loaded.version`, by this process or another. */
export async function catchUp<State, Event extends Fact>(
  db: Queries,
  stream: string,
  loaded: Loaded<State>,
  { decider, upcast = (stored) => stored as Event }: Loading<State, Event>,
): Promise<void> {
  for (;;) {
    const { rows } = await db.query<{ version: string; type: string; data: unknown; command_id: string | null }>(
      prepared(
        'select version, type, data, command_id from events where stream = $1 and version > $2 order by version limit $3',
        [stream, loaded.version, PAGE],
      ),
    );
    for (const { version, type, data, command_id } of rows) {
      loaded.state = decider.evolve(loaded.state, upcast({ type, data }));
      loaded.version = Number(version);
      if (command_id) loaded.known.add(command_id);
    }
    if (rows.length < PAGE) return;
  }
}
