import { readFileSync } from 'node:fs';

/** A message as it was agreed, `catalog.event-published.v1`: today's code must write it so, and read it whole. */
export const golden = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`../../golden/${name}.json`, import.meta.url), 'utf8'));
