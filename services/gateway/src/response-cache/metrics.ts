import { cheapCounter, counter, gauges } from '@beltway/kit/metrics';
import type { Entries } from './entries.ts';

/**
 * How a read was answered. `hit`: from memory. `miss`: after the service was asked. `stale`: with an old body while the
 * service is down. `problem`: with an error. `unshared`: the read was forwarded, because the answer is specific to a
 * caller.
 */
const ANSWERED_BY = ['hit', 'miss', 'stale', 'problem', 'unshared'] as const;
export type AnsweredBy = (typeof ANSWERED_BY)[number];

const answers = cheapCounter(
  'response_cache_answers_total',
  'Shared reads, by how they were answered',
  'by',
  ANSWERED_BY,
);
const fetches = counter('response_cache_fetches_total', 'Fetches of the response cache from services');

export const countAnswer = (by: AnsweredBy): void => void answers[by]++;
export const countFetch = (): void => fetches.inc();

const open = new Set<Pick<Entries, 'count' | 'bytes'>>();
const sumOf = (of: 'count' | 'bytes') => [...open].reduce((sum, entries) => sum + entries[of](), 0);
gauges(
  {
    response_cache_entries: 'Answers that the response cache keeps',
    response_cache_bytes: 'Bytes that the response cache keeps',
  },
  [],
  () => [{ values: { response_cache_entries: sumOf('count'), response_cache_bytes: sumOf('bytes') } }],
);

/** Adds the number and size of these entries to `/metrics`. Returns a function that removes the metrics. */
export function showEntries(entries: Pick<Entries, 'count' | 'bytes'>): () => void {
  open.add(entries);
  return () => open.delete(entries);
}
