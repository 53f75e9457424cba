import { isTransient as isTransientHere, isTransientState } from '@beltway/event-store';
import { isTransientCall } from '../http/instances/connection-faults.ts';

/** Prisma's error codes: unreachable, timed out, connection closed, no free connection, write conflict. */
const TRANSIENT_PRISMA = /^P(1001|1002|1008|1017|2024|2034|2037)$/;

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '');

/** Prisma stores PostgreSQL's error in its `meta`. */
function stateBehindPrisma(error: Error): string {
  const meta =
    'meta' in error
      ? (error.meta as { driverAdapterError?: { cause?: { originalCode?: string } } } | undefined)
      : undefined;
  return meta?.driverAdapterError?.cause?.originalCode ?? '';
}

/** True if a statement was canceled by its timeout (57014), which may happen again on every retry. */
export function tookTooLong(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return codeOf(error) === '57014' || stateBehindPrisma(error) === '57014' || tookTooLong(error.cause);
}

/**
 * True for transient faults of infrastructure, after which the same work may be retried: faults of PostgreSQL, even if
 * Prisma reports them, and faults of calls to other processes. Also true if the cause or an aggregated error is such a
 * fault.
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
