import { isTransient as isTransientHere, isTransientState } from '@beltway/event-store';
import { isTransientCall } from '../http/instances/connection-faults.ts';

/** Prisma: not reachable, timed out, connection closed, no connection free, write conflict. */
const TRANSIENT_PRISMA = /^P(1001|1002|1008|1017|2024|2034|2037)$/;

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '');

/** Prisma keeps what Postgres said in its `meta`. */
function stateBehindPrisma(error: Error): string {
  const meta =
    'meta' in error
      ? (error.meta as { driverAdapterError?: { cause?: { originalCode?: string } } } | undefined)
      : undefined;
  return meta?.driverAdapterError?.cause?.originalCode ?? '';
}

/** True for a statement that was cut off because it took too long (57014): it may do so each time. */
export function tookTooLong(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return codeOf(error) === '57014' || stateBehindPrisma(error) === '57014' || tookTooLong(error.cause);
}

/**
 * True for faults of the infrastructure that pass by themselves, so that the same work may be tried again: of PostgreSQL, behind Prisma too,
 * and of calls to other processes. Also for one that has such a fault as its cause, or among its errors.
 */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    isTransientHere(error) ||
    isTransientCall(error) ||
    TRANSIENT_PRISMA.test(codeOf(error)) ||
    isTransientState(stateBehindPrisma(error)) ||
    (error instanceof AggregateError && error.errors.some(isTransient)) ||
    isTransient(error.cause)
  );
}
