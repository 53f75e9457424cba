/** Name of the violated unique constraint or index; undefined for other errors (SQLSTATE 23505). */
export function violated(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return undefined;
  return 'constraint' in error ? String(error.constraint) : undefined;
}

/** True if another writer appended first, so that this writer decided on an outdated state. */
export const isConflict = (error: unknown): boolean => violated(error) === 'events_fence';

/**
 * SQLSTATE: 08 connection, 40 serialization and deadlock, 53 resources, 57 operator intervention (restart, timeout), 58
 * system error, 55P03 lock not available, 25P03 idle in transaction, 25006 read-only.
 */
const TRANSIENT_STATE = /^(08|40|53|57|58)\w{3}$|^(55P03|25P03|25006)$/;
/** Node's error codes for connections. */
const TRANSIENT_CONNECTION = /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND)$/;
/** Messages of `pg` and its pool, whose errors have no code. */
const TRANSIENT_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|connection error|not queryable/i;

/** True for the SQLSTATE of a transient fault. */
export const isTransientState = (state: string): boolean => TRANSIENT_STATE.test(state);

/**
 * True for transient faults of the database and of the connection to it (lost, restarting, full, deadlocked, silent for
 * too long), and for an error with `transient: true`. Checks the error itself, not its cause.
 */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('transient' in error && error.transient === true) return true;
  const code = 'code' in error ? String(error.code) : '';
  return isTransientState(code) || TRANSIENT_CONNECTION.test(code) || TRANSIENT_MESSAGE.test(error.message);
}
