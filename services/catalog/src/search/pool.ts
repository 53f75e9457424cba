import type { Logger } from '@beltway/kit/logger';
import { openPool } from '@beltway/kit/postgres';
import type { Pool } from 'pg';

const BRIEF = { min: 0, statement_timeout: 2_000, query_timeout: 4_000 };

/**
 * Allows few concurrent searches, with a short timeout, so that other requests have enough CPU time and connections.
 */
export const openSearchPool = (url: string, log: Logger): Pool =>
  openPool(url, { log, name: 'search', max: 4, maxWaiting: 100, ...BRIEF });

/** Allows even fewer concurrent feeds. A feed reads as many events as four searches, and feed readers retry. */
export const openFeedPool = (url: string, log: Logger): Pool =>
  openPool(url, { log, name: 'feeds', max: 2, maxWaiting: 16, ...BRIEF });
