import { startSpan, type Span } from '@beltway/tracing';
import { Rejected } from '../errors.ts';
import type { DecidedGroup, PendingCommand, TracedCommand } from './state.ts';

type TracedGroup = Pick<DecidedGroup, 'commands' | 'rows' | 'traced'>;

/** Wraps a command in a span from queueing to its answer, if the caller's trace is recorded. */
export function inCommandSpan(category: string, pending: PendingCommand): PendingCommand {
  const { type } = pending.command as { type?: unknown };
  const span = startSpan(`command ${typeof type === 'string' ? type : category}`, {
    attributes: { 'beltway.category': category },
  });
  if (!span) return pending;
  const { resolve, reject } = pending;
  return {
    ...pending,
    span,
    resolve: (decision) => {
      span.set({ 'beltway.events': decision.events.length, 'beltway.repeated': decision.repeated });
      span.end();
      resolve(decision);
    },
    reject: (error) => {
      // A rejection by a rule is a decision, not a failure.
      if (error instanceof Rejected) span.set({ 'beltway.rejected': error.code });
      span.end(error instanceof Rejected ? undefined : error);
      reject(error);
    },
  };
}

const nothing = (): void => undefined;

/**
 * Begins a span for each traced command of a group that is about to be appended, and stores the span on the command's
 * rows. Each span belongs to its command's trace. The first span links to all other spans, and each of these spans
 * links to the first span. Returns a function that ends the spans, with the error if the append failed.
 */
export function startAppendSpans(group: TracedGroup): (error?: unknown) => void {
  const { commands, rows, traced } = group;
  const [first, ...others] = traced ?? [];
  if (!first) return nothing;
  const attributes = { 'beltway.group.commands': commands.length, 'beltway.group.events': rows.length };
  const begin = ({ span, rows: own }: TracedCommand, links: string[]): Span | undefined => {
    const append = startSpan('append', { parent: span.traceparent, links, attributes });
    if (append) for (const row of own) row.traceparent = append.traceparent;
    return append;
  };
  const leader = begin(
    first,
    others.map(({ span }) => span.traceparent),
  );
  const toLeader = leader ? [leader.traceparent] : [];
  const spans = [leader, ...others.map((other) => begin(other, toLeader))];
  return (error) => spans.forEach((span) => span?.end(error));
}

/** Appends a group in its spans (`startAppendSpans`). */
export async function inAppendSpans(group: TracedGroup, append: () => Promise<void>): Promise<void> {
  const end = startAppendSpans(group);
  try {
    await append();
  } catch (error) {
    end(error);
    throw error;
  }
  end();
}
