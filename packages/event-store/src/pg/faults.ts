/** Name of the unique constraint or index an error is about, if it is about one (SQLSTATE 23505). */
export function violated(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return undefined;
  return 'constraint' in error ? String(error.constraint) : undefined;
}

/** Another writer was first: this one decided on a state that is no longer the last. */
export const isConflict = (error: unknown): boolean => violated(error) === 'events_fence';

/** Faults that pass by themselves: connection lost, server restarting, too many connections, deadlock, disk full, time-out, silent for too long. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^(08|40|53|57)\w{3}$|^55P03$|^25P03$|^E(CONN|PIPE|TIMEDOUT|AI_AGAIN|HOSTUNREACH)/.test(code) ||
    /Connection terminated|timeout exceeded|Query read timeout|not queryable|connection error/i.test(error.message)
  );
}
