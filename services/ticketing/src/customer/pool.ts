import type { Logger } from '@beltway/kit/logger';
import { openPool } from '@beltway/kit/postgres';
import type { Pool } from 'pg';

/**
 * For lists and sums over all orders: so few at once, each so long at most, on connections that sales do not need. Planned each time, by
 * what is asked for: PostgreSQL plans as it does by itself.
 */
export const openReportPool = (url: string, log: Logger): Pool =>
  openPool(url, {
    log,
    name: 'reports',
    ...{ max: 3, min: 0, maxWaiting: 100, statement_timeout: 5_000, query_timeout: 6_000 },
    options: '-c plan_cache_mode=force_custom_plan',
  });
