/**
 * The server ends a session that is silent within a transaction for longer than this time. Otherwise a hung process
 * (stopped, swapped out, or on a vanished host) would keep its locks. Its open transaction would also block every
 * reader of the log (`pg_snapshot_xmin`).
 */
const IDLE_IN_TRANSACTION = '10s';

/** Detects a vanished host after 25 s, while idle and during a query. The operating system's default is two hours. */
const KEEPALIVE = { idle: 10, interval: 5, count: 3 };
const GONE_MS = (KEEPALIVE.idle + KEEPALIVE.interval * KEEPALIVE.count) * 1_000;

const SESSION = [
  `idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION}`,
  `tcp_keepalives_idle=${KEEPALIVE.idle}`,
  `tcp_keepalives_interval=${KEEPALIVE.interval}`,
  `tcp_keepalives_count=${KEEPALIVE.count}`,
  `tcp_user_timeout=${GONE_MS}`,
]
  .map((setting) => `-c ${setting}`)
  .join(' ');

/** For long work (migrations, a rebuild): no statement timeout, but a limit on silence within a transaction. */
export const LONG_WORK = '-c idle_in_transaction_session_timeout=60s';

/**
 * The settings of client and server that every PostgreSQL connection of a service has in common. `settings`, in the
 * server's syntax, take precedence.
 */
export const connection = (settings = '') => ({
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEPALIVE.idle * 1_000,
  options: `${SESSION} ${settings}`.trim(),
});

/**
 * Session settings for connections whose statements have array parameters. PostgreSQL assumes ten elements for an array
 * of unknown length. For one or two elements it would consider a custom plan cheaper and plan every time, which takes
 * longer than the execution.
 */
export const PLANS_FOR_ARRAYS = '-c plan_cache_mode=force_generic_plan';
