import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { apiOf } from '../e2e/support/api.ts';
import { startBeltway } from '../e2e/support/beltway.ts';
import type { Route } from '../services/gateway/src/routes/route.ts';
import { ask, openProbes, type Answered } from './costs/measure.ts';
import { requestOf, samplesIn } from './costs/samples.ts';
import { MOST_BYTES, MOST_LOOP_MS, callOf, faultsOf, measured, readTable, tableOf, type Cost } from './costs/table.ts';
import { fillWorld } from './costs/world.ts';
import { databaseUrl } from './launcher/engines/databases.ts';
import type { RunningProcess } from './launcher/processes/roster.ts';
import { secretsOf } from './launcher/secrets.ts';

/**
 * `npm run costs [-- text]` measures each public call (or those whose path contains the text or matches the pattern)
 * against a separate copy of the system, and writes docs/costs.md. Takes about ten minutes.
 */
const file = join(import.meta.dirname, '..', 'docs', 'costs.md');
/**
 * Number of requests before the measurement, because Node compiles the code of a call only after several calls; number
 * of measured requests.
 */
const [WARM_READS, READS] = [30, 10];
const [WARM_WRITES, WRITES] = [6, 5];
/** Number of rounds. The fastest round counts, because other work of the machine can only make a round slower. */
const ROUNDS = 3;
const REST_MS = 5_000;

/** Calls with a specific rate limit, and how often they are sent. */
const FEW: Record<string, number> = {
  'GET /api/users/me/export': 4,
  'DELETE /api/users/me': 4,
  'POST /api/orders/{orderId}/mail': 2,
  'POST /api/ops/invariants/check': 1,
  'GET /api/ops/invariants': 2,
  'POST /api/top-picks/upload': 4,
};

interface Times {
  warm: number;
  count: number;
  rounds: number;
}

const wanted = new RegExp(process.argv[2] ?? '');
const dataDir = mkdtempSync(join(tmpdir(), 'beltway-costs-'));
const probes = join(dataDir, 'probes');
mkdirSync(probes);
const beltway = await startBeltway({
  dataDir,
  demo: true,
  env: {
    ...{ COSTS_DIR: probes, MAX_OPEN_HOLDS: '100000', MAX_HELD_TICKETS: '100000' },
    MAX_HELD_PER_ADDRESS: '100000',
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'costs', 'probe.ts')).href}`,
  },
});
try {
  const processes = () => JSON.parse(readFileSync(join(dataDir, 'processes.json'), 'utf8')) as RunningProcess[];
  const urlOf = (service: string) => processes().find((one) => one.service === service)!.url;
  const { costOf, during } = openProbes(probes, processes);
  const identityUrl = databaseUrl('identity', Number(new URL(urlOf('postgres')).port), secretsOf(dataDir));
  const world = await fillWorld(apiOf(beltway.url), beltway.url, identityUrl, console.log);
  const samples = samplesIn(world);
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  const idle = await during(() => new Promise((resolve) => setTimeout(resolve, REST_MS)));

  /** Sends `warm` requests that are not counted, then `count` in each round. Creates all requests beforehand. */
  async function measure(route: Route, base: string, { warm, count, rounds }: Times) {
    const requests: Array<Awaited<ReturnType<typeof requestOf>>> = [];
    for (let n = 0; n < warm + count * rounds; n++) requests.push(await requestOf(world, route, samples, n));
    const answers: Answered[] = [];
    const send = async (times: number) => {
      for (const { target, ...request } of requests.splice(0, times))
        answers.push(await ask({ ...request, url: new URL(target, base) }));
    };
    await send(warm);
    const costs: Array<Awaited<ReturnType<typeof costOf>>> = [];
    for (let round = 0; round < rounds; round++) costs.push(await costOf(count, () => send(count), idle));
    const least = (of: (cost: (typeof costs)[number]) => number) => Math.min(...costs.map(of));
    return {
      loopMs: (service: string) => least((cost) => cost.loopMs(service)),
      rows: least(({ rows }) => rows),
      ...answers.at(-1)!,
    };
  }

  async function costOfCall(route: Route): Promise<Cost> {
    const call = callOf(route);
    const few = FEW[call];
    const usual = route.method === 'get' ? { warm: WARM_READS, count: READS } : { warm: WARM_WRITES, count: WRITES };
    const times = few ? { warm: 0, count: few, rounds: 1 } : { ...usual, rounds: ROUNDS };
    const service = route.service === 'live' ? 'media' : route.service;
    const atGateway = await measure(route, beltway.url, times);
    // The gateway answers these reads from its cache, so the cost of a miss is measured at the service.
    const isKept = route.cache === 'public' && service !== 'gateway';
    const atService = isKept ? await measure(route, urlOf(service), times) : atGateway;
    return {
      ...{ call, status: atGateway.status, bytes: atService.bytes, rows: Math.round(atService.rows) },
      serviceMs: service === 'gateway' ? 0 : atService.loopMs(service),
      gatewayMs: atGateway.loopMs('gateway'),
    };
  }

  const before = readTable(readFileSync(file, 'utf8'));
  const costs: Cost[] = [];
  for (const route of measured) {
    const known = before.find(({ call }) => call === callOf(route));
    if (known && !wanted.test(route.path)) {
      costs.push(known);
      continue;
    }
    const cost = await costOfCall(route).catch((error: unknown) => {
      throw new Error(`${callOf(route)} was not measured`, { cause: error });
    });
    console.log(
      `${cost.call}: ${cost.status}, ${cost.serviceMs.toFixed(2)} and ${cost.gatewayMs.toFixed(2)} ms, ${cost.bytes} bytes, ${cost.rows} rows`,
    );
    costs.push(cost);
  }

  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.slice(0, text.indexOf('| Call')) + `${tableOf(measured, costs)}\n`);
  const faults = faultsOf(measured, costs);
  faults.forEach((fault) => console.log(fault));
  console.log(
    `the bounds are ${MOST_LOOP_MS} ms of an event loop and ${MOST_BYTES} bytes; now run: npx oxfmt docs/costs.md`,
  );
  process.exitCode = faults.length > 0 ? 1 : 0;
} finally {
  await beltway.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
