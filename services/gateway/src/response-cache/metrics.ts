import { counter, gauges } from '@beltway/kit/metrics';
import type { Entries } from './entries.ts';

/**
 * How reads were answered: `hit` from memory, `miss` after the service was asked, `stale` with an old body while it is
 * down, `problem`, and `unshared`, passed on because the answer is not everybody's.
 */
const ANSWERED_BY = ['hit', 'miss', 'stale', 'problem', 'unshared'] as const;
export type AnsweredBy = (typeof ANSWERED_BY)[number];

const answers = counter(
  'response_cache_answers_total',
  'Shared reads, by how they were answered',
  ['by'],
  ANSWERED_BY.map((by) => ({ by })),
);
const fetches = counter('response_cache_fetches_total', 'Questions of the response cache to services');

export const countAnswer = (by: AnsweredBy): void => answers.inc({ by });
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

/** `/metrics` shows these entries, until what it gives is called. */
export function showEntries(entries: Pick<Entries, 'count' | 'bytes'>): () => void {
  open.add(entries);
  return () => open.delete(entries);
}
