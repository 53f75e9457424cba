import { setTimeout as pause } from 'node:timers/promises';
import { lookAtEngines, showEngines, type Figures } from '@beltway/kit/engines/watch';
import { withoutSecrets } from '@beltway/kit/logger';
import { serveMetrics } from '@beltway/kit/metrics-server';
import { readServiceCertificate } from '@beltway/kit/service-tls';

/** Checks the engines, disks, backups and the certificate every 15 s, and serves /metrics on METRICS_PORT. */
const EVERY_MS = 15_000;
const { METRICS_PORT = '9464', HOST = '127.0.0.1' } = process.env;
let last: Figures = {};
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit());
showEngines(() => last);
await serveMetrics(Number(METRICS_PORT), HOST, readServiceCertificate(process.env));
for (;;) {
  const { figures, problems } = await lookAtEngines(process.env);
  last = figures;
  for (const [engine, problem] of Object.entries(problems))
    console.error(JSON.stringify({ level: 40, name: 'engine-watch', engine, msg: withoutSecrets(problem) }));
  await pause(EVERY_MS);
}
