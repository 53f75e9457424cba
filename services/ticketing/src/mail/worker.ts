import type { Pool } from 'pg';
import { prepared } from '@beltway/event-store';
import { backoff } from '@beltway/kit/backoff';
import type { Logger } from '@beltway/kit/logger';
import type { Mail } from '@beltway/kit/mail';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { traced } from '@beltway/tracing';
import { restWhileBusy } from './pace.ts';

/** How a mail is made and sent. */
export interface Sender {
  /** Writes the mail of an order, of the kind as it is queued; nothing when what it would say is no longer so. */
  compose(orderId: string, kind: string): Promise<Mail | null>;
  deliver(mail: Mail): Promise<void>;
}

const IDLE_MS = 2_000;
const pauseAfter = backoff(5_000, 3_600_000);
/** After these attempts a person has to look (`status = 'failed'`). */
const MAX_ATTEMPTS = 20;

/** For so long a mail that is being sent is nobody else's; renewed while it goes out, for a server may take minutes. */
const LEASE_SECONDS = 120;
const RENEWALS_PER_LEASE = 3;

/** A row of `mails` that is ours for a time. */
interface Claimed {
  order_id: string;
  kind: string;
  attempts: number;
  lease: string;
  traceparent: string | null;
}

/** An attempt at a mail in a span of its own, where the trace of what it follows from is recorded. A mail's kind may name a refund. */
const inMailSpan = <T>({ kind, attempts, traceparent }: Claimed, work: () => Promise<T>): Promise<T> =>
  traceparent === null
    ? work()
    : traced(
        `mail ${kind.split(':')[0]!}`,
        { parent: traceparent, kind: 'producer', attributes: { 'beltway.attempt': attempts } },
        work,
      );

/**
 * Sends what waits. A mail is claimed by a lease, sent, and marked sent; no transaction is open while it goes out, for
 * that would hold back every relay of the server. A crash in between repeats it after the lease; it then carries the
 * same id. A worker that is stopped before the mail is on its way gives it back at once.
 */
export function startMailWorker(
  pool: Pool,
  log: Logger,
  { compose, deliver }: Sender,
  leaseSeconds = LEASE_SECONDS,
): Poller {
  const stopping = new AbortController();
  const aborted = new Promise<'stopped'>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  });

  async function send(orderId: string, kind: string): Promise<'sent' | 'dropped' | 'stopped'> {
    const mail = await Promise.race([compose(orderId, kind), aborted]);
    if (mail === 'stopped' || stopping.signal.aborted) return 'stopped';
    if (!mail) return 'dropped';
    await deliver(mail);
    return 'sent';
  }

  async function claim() {
    const { rows } = await pool.query<Claimed>(
      prepared(
        `update mails set attempts = attempts + 1, next_at = clock_timestamp() + make_interval(secs => $1)
         where (order_id, kind) in (
           select order_id, kind from mails where status = 'waiting' and next_at <= now() order by next_at limit 1 for update skip locked
         ) returning order_id, kind, attempts, next_at::text as lease, traceparent`,
        [leaseSeconds],
      ),
    );
    return rows[0];
  }

  /**
   * Runs `work` while the lease is renewed. Answers the lease as it is then; a row with another one is no longer ours.
   */
  async function underLease<T>(mail: { order_id: string; kind: string; lease: string }, work: () => Promise<T>) {
    let { lease } = mail;
    let renewing = Promise.resolve();
    const renew = async () => {
      const { rows } = await pool.query<{ lease: string }>(
        `update mails set next_at = clock_timestamp() + make_interval(secs => $4)
         where order_id = $1 and kind = $2 and next_at = $3::timestamptz and status = 'waiting' returning next_at::text as lease`,
        [mail.order_id, mail.kind, lease, leaseSeconds],
      );
      lease = rows[0]?.lease ?? lease;
    };
    const timer = setInterval(
      () => {
        renewing = renewing.then(renew).catch((err) => log.warn({ err }, 'a lease of a mail was not renewed'));
      },
      (leaseSeconds * 1_000) / RENEWALS_PER_LEASE,
    );
    const [outcome] = await Promise.allSettled([work()]);
    clearInterval(timer);
    await renewing;
    return { outcome, lease };
  }

  async function sendNext(): Promise<boolean> {
    const mail = await claim();
    if (!mail) return false;
    const { order_id: orderId, kind, attempts } = mail;
    const { outcome, lease } = await underLease(mail, () => inMailSpan(mail, () => send(orderId, kind)));
    // Queued anew or taken over meanwhile, the row is left as it is.
    const own = 'order_id = $1 and kind = $2 and next_at = $3::timestamptz';
    if (outcome.status === 'fulfilled' && outcome.value === 'stopped') {
      await pool.query(`update mails set attempts = attempts - 1, next_at = now() where ${own}`, [
        ...[orderId, kind, lease],
      ]);
      return false;
    }
    if (outcome.status === 'fulfilled') {
      await pool.query(`update mails set status = $4, sent_at = now(), last_error = null where ${own}`, [
        ...[orderId, kind, lease, outcome.value],
      ]);
      return true;
    }
    const error: unknown = outcome.reason;
    const isLast = attempts >= MAX_ATTEMPTS;
    log[isLast ? 'error' : 'warn']({ err: error, orderId, kind }, `a mail could not be sent${isLast ? '' : ' yet'}`);
    await pool.query(
      `update mails set last_error = $4, next_at = now() + make_interval(secs => $5), status = $6 where ${own}`,
      [
        ...[orderId, kind, lease],
        error instanceof Error ? error.message.slice(0, 500) : String(error),
        pauseAfter(attempts) / 1_000,
        isLast ? 'failed' : 'waiting',
      ],
    );
    return true;
  }

  const polling = startPolling(log, 'mails', IDLE_MS, async () => {
    const since = performance.now();
    if (stopping.signal.aborted || !(await sendNext())) return false;
    await restWhileBusy(performance.now() - since);
    return true;
  });
  polling.wake();

  return {
    wake: polling.wake,
    stop: () => {
      stopping.abort();
      return polling.stop();
    },
  };
}
