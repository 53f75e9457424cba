import { fork } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrate } from '@beltway/kit/migrate';
import { serviceMigrations } from '../../scripts/launcher/migrations.ts';
import { rebuild } from '../../services/payments/src/rebuild.ts';
import type { Bench } from '../support/bench.ts';
import { requestOf } from '../support/connection.ts';
import { cpuSeconds } from '../support/cpu.ts';
import { startServer } from '../support/database.ts';
import { httpLoad } from '../support/http-load.ts';
import { digits } from '../support/statistics.ts';
import { differences } from './check.ts';
import { deliveries, paymentsFor, requestedOf } from './reports.ts';

const DELIVERIES = 20_000;
const TIMES = 3;
const CONNECTIONS = 64;
const BATCH = 1_000;
const SECRET = 'whsec_bench1234';

/** The provider's signature (Stripe, "Verify webhook signatures manually"): valid for five minutes. */
function sign(payload: string): string {
  const at = Math.floor(Date.now() / 1_000);
  return `t=${at},v1=${createHmac('sha256', SECRET).update(`${at}.${payload}`).digest('hex')}`;
}

export const bench: Bench = {
  about: `${DELIVERIES.toLocaleString('en-US')} signed webhooks, each report ${TIMES} times and in any order, on ${CONNECTIONS} connections`,
  // One round, however long it takes.
  defaults: { rounds: 1, seconds: 600 },
  short: { seconds: 60, size: 600 },

  async run(options) {
    const { seconds, say, size = DELIVERIES } = options;
    const server = await startServer(options);
    const url = await server.database('payments');
    await migrate(url, serviceMigrations('payments'));
    const database = new Client({ connectionString: url });
    await database.connect();
    options.onEnd(() => database.end());

    const { payments, reports } = paymentsFor(Math.ceil(size / TIMES));
    for (let from = 0; from < payments.length; from += BATCH) {
      const batch = payments.slice(from, from + BATCH);
      await database.query(
        `insert into events (stream, version, type, data, correlation_id, causation_id, occurred_at)
         select 'payment-' || id, 1, 'PaymentRequested', data::json, 'bench', 'bench', now()
         from unnest($1::text[], $2::text[]) p (id, data)`,
        [batch.map(({ id }) => id), batch.map((payment) => JSON.stringify(requestedOf(payment)))],
      );
    }
    await rebuild(url);
    await database.query('vacuum analyze');
    say(`${payments.length} payments, ${reports.length} reports, ${reports.length * TIMES} deliveries`);

    const service = fork(join(import.meta.dirname, 'server.ts'), [url, SECRET]);
    options.onEnd(() => service.disconnect());
    const [port] = (await once(service, 'message')) as [number];

    const waiting = deliveries(reports, TIMES).map(({ body }) =>
      requestOf(
        'POST',
        '/api/stripe/webhook',
        ['content-type: application/json', `stripe-signature: ${sign(body)}`],
        body,
      ),
    );
    const total = waiting.length;
    const before = cpuSeconds(service.pid!);
    const figures = await httpLoad({
      ...{ port, connections: CONNECTIONS, seconds },
      next: () => waiting.pop(),
      counts: ({ status }, request) => {
        // Delivers a report again if the response was not 200, as the provider does.
        if (status !== 200) waiting.push(request as string);
        return status === 200;
      },
    });
    const cpu = ((cpuSeconds(service.pid!) - before) / figures.counted) * 1_000;
    say(
      `${figures.perSecond.toFixed(0)} deliveries a second, p99 ${figures.p99Ms.toFixed(1)} ms, ` +
        `${JSON.stringify(figures.statuses)}, ${cpu.toFixed(3)} s of processor time for a thousand`,
    );
    const wrong = await differences(database, payments);
    if (figures.counted !== total) wrong.push(`${figures.counted} of ${total} deliveries were taken`);
    wrong.slice(0, 10).forEach((line) => say(`NOT EXACT: ${line}`));
    return { perSecond: Math.round(figures.perSecond), p99Ms: digits(figures.p99Ms), exact: wrong.length === 0 };
  },
};
