import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Pool } from 'pg';
import type { Bus } from '@beltway/kit/bus';
import { describeMetrics, type MetricDescription } from '@beltway/kit/metrics';

/**
 * A metric of `/metrics`, and the service that exposes it: `all`, `services` (all except the gateway), or one service.
 */
export interface Exposed extends MetricDescription {
  by: string;
}

/** A pool that is never queried, because only the names of metrics matter. */
const noPool = {} as Pool;

/** The modules with metrics of each service, loaded and called as its `main.ts` does. */
const LOADED: Record<string, () => Promise<unknown>> = {
  all: () =>
    Promise.all([
      import('@beltway/kit/service/parts'),
      import('../../packages/kit/src/observe/memory-limit.ts').then(({ showMemory }) => showMemory()),
    ]),
  gateway: () =>
    Promise.all([
      import('../../services/gateway/src/inbound/access.ts'),
      import('../../services/gateway/src/response-cache/metrics.ts'),
      import('../../services/gateway/src/inbound/unread.ts'),
      import('../../services/gateway/src/ops/client-errors.ts'),
      import('../../services/gateway/src/page/first-screens.ts'),
      import('../../services/gateway/src/ops/waiting-letters.ts').then(({ showWaitingLetters }) =>
        showWaitingLetters({} as Bus),
      ),
    ]),
  services: () =>
    Promise.all([
      import('@beltway/kit/app'),
      import('@beltway/kit/bus/consume'),
      import('@beltway/kit/jobs'),
      import('@beltway/kit/given-up').then(({ showQueues }) => showQueues(noPool)),
    ]),
  ticketing: () =>
    Promise.all([
      import('../../services/ticketing/src/sale/route-to-instance.ts'),
      import('../../services/ticketing/src/ticket/papers.ts').then(({ openPaperWorkers }) => openPaperWorkers()),
      import('../../services/ticketing/src/metrics.ts').then(({ showHolds }) => showHolds(noPool)),
    ]),
  payments: () =>
    Promise.all([
      import('../../services/payments/src/provider/provider.ts'),
      import('../../services/payments/src/payment/record.ts'),
      import('../../services/payments/src/metrics.ts').then(({ showMoney }) => showMoney(noPool)),
    ]),
  identity: () => import('../../services/identity/src/password/hasher.ts'),
  media: () => import('../../services/media/src/workers/pool.ts').then(({ openImageWorkers }) => openImageWorkers()),
  realtime: () => import('../../services/realtime/src/sockets.ts'),
  probe: () => import('./probe.ts'),
  engines: () => import('@beltway/kit/engines/watch').then(({ showEngines }) => showEngines(() => ({}))),
};

let exposed: Promise<Exposed[]> | undefined;

/**
 * Every metric of this system's services, read from the registry that serves the metric. Runs in a separate process,
 * because modules that this process has already loaded would be attributed to the first service.
 */
export const exposedMetrics = (): Promise<Exposed[]> => (exposed ??= printed());

async function printed(): Promise<Exposed[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [import.meta.filename]);
  return JSON.parse(stdout) as Exposed[];
}

async function load(): Promise<Exposed[]> {
  const found: Exposed[] = [];
  for (const [by, loads] of Object.entries(LOADED)) {
    await loads();
    const known = new Set(found.map(({ name }) => name));
    const added = describeMetrics().filter(({ name }) => !known.has(name));
    found.push(...added.map((metric) => ({ ...metric, by })).sort((a, b) => (a.name < b.name ? -1 : 1)));
  }
  return found;
}

/** The names of a metric's series; a histogram has three. */
export const seriesOf = ({ name, type }: MetricDescription): string[] =>
  type === 'histogram'
    ? ['_bucket', '_sum', '_count'].map((end) => name + end)
    : type === 'summary'
      ? [name, `${name}_sum`, `${name}_count`]
      : [name];

if (import.meta.main) process.stdout.write(JSON.stringify(await load()), () => process.exit());
