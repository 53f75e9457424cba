/** Name of the unique constraint or index an error is about, if it is about one (SQLSTATE 23505). */
export function violated(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return undefined;
  return 'constraint' in error ? String(error.constraint) : undefined;
}

/** Another writer was first: this one decided on a state that is no longer the last. */
export const isConflict = (error: unknown): boolean => violated(error) === 'events_fence';

/**
 * SQLSTATE: 08 connection, 40 serialization and deadlock, 53 resources, 57 operator intervention (restart, time-out), 58 system
 * error, 55P03 lock not to be had, 25P03 idle in a transaction, 25006 read-only.
 */
const TRANSIENT_STATE = /^(08|40|53|57|58)\w{3}$|^(55P03|25P03|25006)$/;
/** Node's, of the connection. */
const TRANSIENT_CONNECTION = /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND)$/;
/** Of `pg` and its pool, whose errors have no code. */
const TRANSIENT_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|connection error|not queryable/i;

/** True for a SQLSTATE of a fault that passes by itself. */
export const isTransientState = (state: string): boolean => TRANSIENT_STATE.test(state);

/**
 * True for faults of the database and of the connection to it that pass by themselves: lost, restarting, full, deadlocked, silent for too long.
 * Also for an error that says so of itself (`transient: true`). Of the error alone: not by its cause.
 */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('transient' in error && error.transient === true) return true;
  const code = 'code' in error ? String(error.code) : '';
  return isTransientState(code) || TRANSIENT_CONNECTION.test(code) || TRANSIENT_MESSAGE.test(error.message);
}
