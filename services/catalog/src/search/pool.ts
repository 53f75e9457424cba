import type { Logger } from '@beltway/kit/logger';
import { openPool } from '@beltway/kit/postgres';
import type { Pool } from 'pg';

const BRIEF = { min: 0, statement_timeout: 2_000, query_timeout: 4_000 };

/** So few searches at once, each so long at most: they take neither the processors nor the connections from everything else. */
export const openSearchPool = (url: string, log: Logger): Pool =>
  openPool(url, { log, name: 'search', max: 4, maxWaiting: 100, ...BRIEF });

/** Fewer feeds: each reads as many events as four searches, and programs come again. */
export const openFeedPool = (url: string, log: Logger): Pool =>
  openPool(url, { log, name: 'feeds', max: 2, maxWaiting: 16, ...BRIEF });
