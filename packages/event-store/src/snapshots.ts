import type { Loaded, SnapshotOptions } from './load.ts';
import type { Store } from './store.ts';

/** At most a hundredth of the time goes into snapshots. The database is at work for three times as long as we are. */
const PAUSE_PER_COST = 400;

/** A stream that thousands hit writes its whole state now and then, not every thousandth event, and a large state more rarely. */
export const snapshotDue = <State>(
  { version, snapshotVersion, snapshotAt, snapshotCostMs }: Loaded<State>,
  { every = 1_000, pauseMs = 2_000 }: SnapshotOptions<State>,
): boolean =>
  version - snapshotVersion >= every && Date.now() - snapshotAt >= Math.max(pauseMs, snapshotCostMs * PAUSE_PER_COST);

/**
 * Keeps the state so that loading stays short. All of it must be in the log. Not waited for, and never throws: a snapshot that fails
 * costs time at the next load, nothing else. The next one is due as if this one had been taken.
 */
export function takeSnapshot<State>(
  { pool, warn }: Store,
  stream: string,
  loaded: Loaded<State>,
  { shape, write }: SnapshotOptions<State>,
): void {
  const { version } = loaded;
  const failed = (error: unknown) => warn(error, `no snapshot of ${stream} was taken`);
  const began = performance.now();
  loaded.snapshotAt = Date.now();
  loaded.snapshotVersion = version;
  let state: string;
  try {
    state = JSON.stringify(write(loaded.state));
  } catch (error) {
    return failed(error);
  }
  loaded.snapshotCostMs = performance.now() - began;
  pool
    .query(
      `insert into snapshots (stream, version, shape, state) values ($1, $2, $3, $4)
       on conflict (stream) do update set version = excluded.version, shape = excluded.shape, state = excluded.state, taken_at = now()
       where snapshots.version < excluded.version or snapshots.shape <> excluded.shape`,
      [stream, version, shape, state],
    )
    .catch(failed);
}
