import type { Logger } from '@beltway/kit/logger';
import { openPool } from '@beltway/kit/postgres';
import type { Pool } from 'pg';

/**
 * Opens a separate pool for lists and sums over all orders, limited to 3 connections and 5 s per statement, so that
 * sales keep their connections. PostgreSQL makes a separate plan for the parameters of each query.
 */
export const openReportPool = (url: string, log: Logger): Pool =>
  openPool(url, {
    log,
    name: 'reports',
    ...{ max: 3, min: 0, maxWaiting: 100, statement_timeout: 5_000, query_timeout: 6_000 },
    options: '-c plan_cache_mode=force_custom_plan',
  });
