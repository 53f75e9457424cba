import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@beltway/kit/testing';
import { apiOf } from '../../e2e/support/api.ts';
import { isReady } from '../../e2e/support/processes.ts';
import { check, countOf } from '../checker/check.ts';
import type { Kind } from '../checker/evidence.ts';
import { readEvidence } from '../checker/read.ts';
import { openClientLedger } from '../load/client-ledger.ts';
import { startSystem, type System } from '../system/system.ts';
import { settle } from '../system/settle.ts';
import { startBurners } from './burners.ts';
import { startTraffic, type TrafficCounts } from './traffic.ts';
import { openWatchers } from './watchers.ts';

export interface RestartOptions {
  seed: string;
  keep: boolean;
  /** While other processes use every core, an answer with Retry-After is not a failure. */
  besideLoad: boolean;
  perSecond?: number;
  say: (text: string) => void;
}

export interface RestartOutcome extends TrafficCounts {
  chaos: 'restarts' | 'restarts, beside load';
  seed: string;
  /** Instances that were stopped by SIGTERM and restarted, one after the other. */
  restarts: number;
  perSecond: number;
  /** The longest time until an instance was ready again. */
  slowestBackMs: number;
  sockets: number;
  reconnects: number;
  /** Stock messages that did not reach a page in time. */
  missed: number;
  seconds: number;
  violations: Record<Kind, number>;
  examples: string[];
}

/** All services; the card provider is external. */
const SERVICES = ['media', 'realtime', 'catalog', 'identity', 'payments', 'ticketing', 'gateway'];
const SOCKETS = 30;
const HOLD_MS = 6_000;
const BACK_MS = 60_000;
/**
 * Request timeout. It is longer than the delay that this process itself causes when it sends hundreds of requests a
 * second on a busy machine.
 */
const ASK_MS = 10_000;
const HEARD_MS = 10_000;
const HEARD_BESIDE_LOAD_MS = 30_000;
const SETTLE_MS = 60_000;
/** The burners end automatically after this time, even if this process has ended before. */
const BURN_MS = 600_000;

export async function runRestarts(options: RestartOptions): Promise<RestartOutcome> {
  const system = await startSystem({ replicas: SERVICES.map((name) => `${name}:2`).join(','), holdMs: HOLD_MS });
  try {
    return await restartAll(system, options);
  } finally {
    if (options.keep) options.say(`the data stays in ${system.beltway.dataDir}`);
    await system.stop(options.keep);
  }
}

/**
 * Stops one instance with SIGTERM, like a deployment, and waits until its successor is ready. Returns the duration in
 * ms.
 */
async function restart({ processes }: System, name: string): Promise<number> {
  const from = Date.now();
  const old = processes().find((one) => one.name === name)!;
  process.kill(old.pid, 'SIGTERM');
  await eventually(
    async () => {
      const now = processes().find((one) => one.name === name);
      if (!now?.url || now.pid === old.pid) return false;
      return isReady({ service: now.service, url: now.url }, ASK_MS);
    },
    { timeoutMs: BACK_MS, what: `${name} is ready again` },
  );
  return Date.now() - from;
}

async function restartAll(system: System, options: RestartOptions): Promise<RestartOutcome> {
  const { seed, perSecond = 300, besideLoad, say } = options;
  const { beltway, database } = system;
  const { url } = beltway;
  const api = apiOf(url);
  const began = Date.now();
  const organizer = await api.register('Ola Organizer', 'business');
  const events = [];
  for (const title of ['Rolling One', 'Rolling Two', 'Rolling Three'])
    events.push(await api.launch(organizer.token, { title, totalTickets: 1_000_000 }));
  const eventIds = events.map(({ id }) => id);
  const members = await Promise.all(Array.from({ length: 5 }, (_, n) => api.register(`Member ${n}`)));

  const ledger = openClientLedger(join(beltway.dataDir, 'client-ledger.jsonl'));
  const watchers = openWatchers({ url, count: SOCKETS, eventIds, mayRefuse: besideLoad });
  await eventually(() => watchers.connected() === SOCKETS, { timeoutMs: 20_000, what: 'all sockets are connected' });
  const traffic = startTraffic({
    url,
    seed,
    perSecond,
    eventIds,
    members: members.map(({ token }) => token),
    guestKey: await api.guestKey(),
    ledger,
    mayRefuse: besideLoad,
  });
  await pause(2_000);

  let missed = 0;
  const heardMs = besideLoad ? HEARD_BESIDE_LOAD_MS : HEARD_MS;
  /** Waits until the latest stock of every sale has reached every page. */
  const allHear = async () => {
    for (const eventId of eventIds) {
      const { version } = (await eventually(() => api.stock(eventId), { timeoutMs: heardMs })) as { version: number };
      await eventually(() => watchers.oldest(eventId) >= version, { timeoutMs: heardMs }).catch(() => missed++);
    }
  };
  const names = SERVICES.flatMap((service) =>
    system
      .processes()
      .filter((one) => one.service === service)
      .map(({ name }) => name),
  );
  let slowestBackMs = 0;
  const burners = besideLoad ? startBurners(BURN_MS) : undefined;
  try {
    if (burners) say(`processes ${burners.pids.join(', ')} take every core`);
    for (const name of names) {
      const { failed, refused } = traffic.counts();
      const backMs = await restart(system, name);
      slowestBackMs = Math.max(slowestBackMs, backMs);
      await pause(1_000);
      await allHear();
      const now = traffic.counts();
      say(
        `${name}: back in ${(backMs / 1000).toFixed(1)} s, ${now.requests} requests, ${now.failed - failed} failed, ${now.refused - refused} refused, ${watchers.reconnects()} reconnects, ${missed} missed`,
      );
    }
    await traffic.stop();
  } finally {
    await burners?.stop();
  }
  await allHear();
  const sockets = watchers.connected();
  const reconnects = watchers.reconnects();
  watchers.close();

  const bus = await system.openBus();
  const unsettled = await settle({ database, bus, hurry: () => Promise.resolve(), say, withinMs: SETTLE_MS });
  await bus.close();
  const violations = check(await readEvidence(database, ledger.file));
  return {
    chaos: besideLoad ? 'restarts, beside load' : 'restarts',
    seed,
    restarts: names.length,
    perSecond,
    ...traffic.counts(),
    slowestBackMs,
    sockets,
    reconnects,
    missed: missed + (SOCKETS - sockets),
    seconds: Math.round((Date.now() - began) / 1000),
    violations: countOf(violations),
    examples: [
      ...unsettled,
      ...traffic.failures(),
      ...watchers.failures(),
      ...violations.map(({ kind, what }) => `${kind}: ${what}`),
    ],
  };
}
