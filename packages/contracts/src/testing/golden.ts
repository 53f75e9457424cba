import { readFileSync } from 'node:fs';

/**
 * An agreed message, such as `catalog.event-published.v1`. The current code must write and read exactly this message.
 */
export const golden = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`../../golden/${name}.json`, import.meta.url), 'utf8'));
