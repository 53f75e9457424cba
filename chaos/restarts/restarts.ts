import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@beltway/kit/testing';
import { apiOf } from '../../e2e/support/api.ts';
import { check, countOf } from '../checker/check.ts';
import type { Kind } from '../checker/evidence.ts';
import { readEvidence } from '../checker/read.ts';
import { openClientLedger } from '../load/client-ledger.ts';
import { startSystem, type System } from '../system/system.ts';
import { settle } from '../system/settle.ts';
import { startTraffic } from './traffic.ts';
import { openWatchers } from './watchers.ts';

export interface RestartOptions {
  seed: string;
  keep: boolean;
  perSecond?: number;
  say: (text: string) => void;
}

export interface RestartOutcome {
  chaos: 'restarts';
  seed: string;
  /** Instances that were stopped by SIGTERM and came back, one after the other. */
  restarts: number;
  perSecond: number;
  requests: number;
  failed: number;
  slowestMs: number;
  sockets: number;
  reconnects: number;
  /** Stock messages that did not reach a page within the time. */
  missed: number;
  seconds: number;
  violations: Record<Kind, number>;
  examples: string[];
}

/** Each service there is; the card provider is none of ours. */
const SERVICES = ['media', 'realtime', 'catalog', 'identity', 'payments', 'ticketing', 'gateway'];
const SOCKETS = 30;
const HOLD_MS = 6_000;
const BACK_MS = 60_000;
const HEARD_MS = 10_000;
const SETTLE_MS = 60_000;

export async function runRestarts(options: RestartOptions): Promise<RestartOutcome> {
  const system = await startSystem({ replicas: SERVICES.map((name) => `${name}:2`).join(','), holdMs: HOLD_MS });
  try {
    return await restartAll(system, options);
  } finally {
    if (options.keep) options.say(`the data stays in ${system.beltway.dataDir}`);
    await system.stop(options.keep);
  }
}

/** Stops one instance as a deployment does, and waits until its successor says that it is ready. */
async function restart({ processes }: System, name: string): Promise<void> {
  const old = processes().find((one) => one.name === name)!;
  process.kill(old.pid, 'SIGTERM');
  await eventually(
    async () => {
      const now = processes().find((one) => one.name === name);
      if (!now?.url || now.pid === old.pid) return false;
      const path = now.service === 'gateway' ? '/api/health/ready' : '/health/ready';
      return (await fetch(new URL(path, now.url), { signal: AbortSignal.timeout(2_000) })).status === 200;
    },
    { timeoutMs: BACK_MS, what: `${name} is ready again` },
  );
}

async function restartAll(system: System, { seed, perSecond = 300, say }: RestartOptions): Promise<RestartOutcome> {
  const { beltway, database } = system;
  const { url } = beltway;
  const api = apiOf(url);
  const began = Date.now();
  const organiser = await api.register('Ola Organiser', 'business');
  const events = [];
  for (const title of ['Rolling One', 'Rolling Two', 'Rolling Three'])
    events.push(await api.launch(organiser.token, { title, totalTickets: 1_000_000 }));
  const eventIds = events.map(({ id }) => id);
  const members = await Promise.all(Array.from({ length: 5 }, (_, n) => api.register(`Member ${n}`)));

  const ledger = openClientLedger(join(beltway.dataDir, 'client-ledger.jsonl'));
  const watchers = openWatchers(url, SOCKETS, eventIds);
  await eventually(() => watchers.connected() === SOCKETS, { timeoutMs: 20_000, what: 'all sockets are connected' });
  const traffic = startTraffic({
    url,
    seed,
    perSecond,
    eventIds,
    members: members.map(({ token }) => token),
    guestKey: await api.guestKey(),
    ledger,
  });
  await pause(2_000);

  let missed = 0;
  /** Whatever is told of a sale from here on reaches every page. */
  const allHear = async () => {
    for (const eventId of eventIds) {
      const { version } = (await api.stock(eventId)) as { version: number };
      await eventually(() => watchers.oldest(eventId) >= version, { timeoutMs: HEARD_MS }).catch(() => missed++);
    }
  };
  const names = SERVICES.flatMap((service) =>
    system
      .processes()
      .filter((one) => one.service === service)
      .map(({ name }) => name),
  );
  for (const name of names) {
    const from = Date.now();
    const { failed } = traffic.counts();
    await restart(system, name);
    await pause(1_000);
    await allHear();
    const now = traffic.counts();
    say(
      `${name}: ${((Date.now() - from) / 1000).toFixed(1)} s, ${now.requests} requests, ${now.failed - failed} failed, ${watchers.reconnects()} reconnects, ${missed} missed`,
    );
  }
  await traffic.stop();
  await allHear();
  const sockets = watchers.connected();
  const reconnects = watchers.reconnects();
  watchers.close();

  const bus = await system.openBus();
  const unsettled = await settle({ database, bus, hurry: () => Promise.resolve(), say, withinMs: SETTLE_MS });
  await bus.close();
  const violations = check(await readEvidence(database, ledger.file));
  return {
    chaos: 'restarts',
    seed,
    restarts: names.length,
    perSecond,
    ...traffic.counts(),
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
