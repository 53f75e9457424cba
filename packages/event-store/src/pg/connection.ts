/**
 * A session that is silent within a transaction for longer is ended by the server. A process that hangs there (stopped, swapped out, its host
 * gone) would hold its locks, and every reader of the log below its transaction (`pg_snapshot_xmin`).
 */
const IDLE_IN_TRANSACTION = '10s';

/** A peer whose host vanished is missed after 25 s, at rest as well as with something under way; the system's own time is two hours. */
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

/** For work that is long by nature (migrations, a rebuild): not cut off while it works, and not kept for ever when it is silent. */
export const LONG_WORK = '-c idle_in_transaction_session_timeout=60s';

/** What every connection of a service to PostgreSQL has in common, on both its ends. `settings`, in the server's spelling, go before. */
export const connection = (settings = '') => ({
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEPALIVE.idle * 1_000,
  options: `${SESSION} ${settings}`.trim(),
});

/**
 * Session settings for connections whose statements take arrays: PostgreSQL takes one of unknown length to hold ten, finds a plan for the one
 * or two that it gets cheaper, and would plan it again each time, which takes longer than running it.
 */
export const PLANS_FOR_ARRAYS = '-c plan_cache_mode=force_generic_plan';
