import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { apiOf } from '../e2e/support/api.ts';
import { check, countOf } from './checker/check.ts';
import type { Kind, Violation } from './checker/evidence.ts';
import { marksOn, readEvidence } from './checker/read.ts';
import { trailOf } from './checker/trail.ts';
import { environmentWithout, switchOff } from './controls.ts';
import { buyOut } from './load/box-office.ts';
import { openClient } from './load/client.ts';
import { openClientLedger, type ClientLedger } from './load/client-ledger.ts';
import { startLeavers } from './load/leavers.ts';
import { startRushes } from './load/rush.ts';
import { startLoad } from './load/load.ts';
import { echo, misbehavingProvider, soberProvider } from './load/mischief.ts';
import { MEMBERS, nightPlan, attemptOf } from './load/plan.ts';
import type { Rule } from './options.ts';
import { EMBEDDED, ENGINES, killAll, killPlan } from './system/kills.ts';
import { eraseOnceMore, settle, tryNow } from './system/settle.ts';
import { startSystem, type System } from './system/system.ts';

export interface RunOptions {
  seed: string;
  kills: number;
  without: Rule | null;
  engines: boolean;
  rush: boolean;
  saleRouting: boolean;
  keep: boolean;
  say: (text: string) => void;
}

export interface Outcome {
  chaos: string;
  seed: string;
  /** Number of SIGKILLs. `hits` counts them by target. */
  kills: number;
  hits: Record<string, number>;
  /** Started attempts. */
  attempts: number;
  /** Purchases that the buyer saw as fulfilled. */
  purchases: number;
  /** Promotions and live streams that were paid at the provider. */
  promotions: number;
  /** Acknowledged refund requests for tickets. */
  refunds: number;
  /** Ads that were paid at the provider. */
  ads: number;
  /** Refused webhooks with forged signatures. */
  forged: number;
  /** Deleted accounts. */
  erased: number;
  requests: number;
  /** Republished messages. */
  echoes: number;
  /** Holds that rushes requested. */
  rushed: number;
  seconds: number;
  /** Work that was still in progress at the deadline. */
  unsettled: string[];
  violations: Record<Kind, number>;
  examples: string[];
  /** All known facts of the first orders that the violations name. */
  trail: string[];
}

const GUESTS = 64;
const HOLD_MS = 6_000;
const PER_SECOND = 10;
const UP_MS = 20_000;
const BACK_MS = 60_000;
/** Pause for normal work before the next burst. */
const CALM_MS = 2_500;
/**
 * Maximum time after the last kill to reach the required number of purchases. A purchase takes several seconds while
 * stories run on the same machine.
 */
const PROGRESS_MS = 150_000;
/** Minimum number of holds that all rushes together must request. */
const LEAST_RUSHED = 3_000;
/** Whether a run also refunded, paid for promotions and ads (a tenth of the ads is not paid), and forged webhooks. */
const hasAlso = ({ acknowledged, refused }: ReturnType<ClientLedger['counts']>): boolean =>
  acknowledged.refund !== undefined &&
  acknowledged['confirm-promotion'] !== undefined &&
  (acknowledged.advertise ?? 0) >= 5 &&
  refused.forge !== undefined;
const GRACE_MS = 10_000;
const SETTLE_MS = 60_000;
/** A shorter deadline for controls, because a system without one of its rules may never settle. */
const BROKEN_MS = 12_000;

/** A run must also make progress: buyers must get tickets although processes are killed constantly. */
export const leastPurchases = (kills: number): number => Math.max(25, kills);

/** A digest of everything that the seed determines. Two runs with the same seed make the same attempts and kills. */
export const scheduleDigest = (seed: string, kills: number): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        nightPlan(seed, 0),
        Array.from({ length: 1_000 }, (_, n) => attemptOf(seed, n, PER_SECOND)),
        killPlan(seed, kills, EMBEDDED),
      ]),
    )
    .digest('hex')
    .slice(0, 12);

export async function runChaos(options: RunOptions): Promise<Outcome> {
  const { keep, without, engines, saleRouting } = options;
  const system = await startSystem({
    replicas: 'ticketing:2',
    holdMs: HOLD_MS,
    engines,
    env: { ...(!saleRouting && { BELTWAY_SALE_ROUTING: 'off' }), ...environmentWithout(without) },
  });
  try {
    return await runOn(system, options);
  } finally {
    if (keep) options.say(`the data stays in ${system.beltway.dataDir}`);
    await system.stop(keep);
  }
}

/** Paths that must respond before a system counts as up: catalog, ticketing, the provider, payments. */
const UP = ['/api/events', '/api/events/1/availability', '/dev/payments/state', '/api/config'];

/**
 * Polls these paths until all of them respond. At the deadline it returns the paths that still fail and does not throw,
 * because the kills continue.
 */
async function up(url: string, withinMs: number): Promise<string[]> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const answers = await Promise.all(
      UP.map((path) =>
        fetch(new URL(path, url), { signal: AbortSignal.timeout(2_000) }).then(
          ({ status }) => status === 200,
          () => false,
        ),
      ),
    );
    const away = UP.filter((_, index) => !answers[index]);
    if (away.length === 0 || Date.now() > deadline) return away;
    await pause(100);
  }
}

async function runOn(system: System, { seed, kills, without, engines, rush, say }: RunOptions): Promise<Outcome> {
  const { beltway, database } = system;
  // Kafka takes longer to restart and to rebalance the partitions of its groups.
  const slow = engines ? 3 : 1;
  const { url } = beltway;
  const began = Date.now();
  const api = apiOf(url);
  const { token: organizer } = await api.register('Ola Organizer', 'business');
  const members: string[] = [];
  for (let n = 0; n < MEMBERS; n++) members.push((await api.register(`Member ${n}`)).token);
  const guestKeys = await Promise.all(Array.from({ length: GUESTS }, api.guestKey));
  if (without) await switchOff(without, database);

  const bus = await system.openBus();
  const over = new AbortController();
  const ledger = openClientLedger(join(beltway.dataDir, 'client-ledger.jsonl'));
  const client = openClient(url, ledger, over.signal);
  const instances = () =>
    system.processes().flatMap((one) => (one.service === 'ticketing' && one.url ? [one.url] : []));
  say(`seed ${seed}: schedule ${scheduleDigest(seed, kills)}, ${kills} kills, data in ${beltway.dataDir}`);
  const { publishableKey } = system;
  const echoes = await echo(bus, seed, 400);
  const load = startLoad({
    client,
    guestKeys,
    instances,
    publishableKey,
    holdMs: HOLD_MS,
    url,
    seed,
    perSecond: PER_SECOND,
    organizer,
    members,
    over: over.signal,
  });
  await load.begun;
  const rushes = rush
    ? startRushes({
        client,
        ledger,
        guestKey: guestKeys[0]!,
        instances,
        internalToken: system.internalToken,
        organizer,
        seed,
        over: over.signal,
      })
    : undefined;
  // A control has no leavers, because it may never settle and its erasures may never complete.
  const leavers = without
    ? undefined
    : startLeavers({
        ...{ client, guestKeys, instances, publishableKey, seed },
        ...{ holdMs: HOLD_MS, sales: load.sales, over: over.signal },
      });
  const calm = new AbortController();
  const provider = misbehavingProvider(url, seed, calm.signal);
  const purchases = () => ledger.counts().acknowledged.process ?? 0;

  const tell = (text: string) =>
    say(`${((Date.now() - began) / 1000).toFixed(1)} s, ${load.attempts()} attempts, ${purchases()} settled: ${text}`);
  const hits = await killAll(killPlan(seed, kills, engines ? ENGINES : EMBEDDED), system, {
    backMs: BACK_MS * slow,
    say: tell,
    stopped: over.signal,
    recovered: async () => {
      const away = await up(url, UP_MS * slow);
      tell(away.length === 0 ? 'up again' : `still away: ${away.join(', ')}`);
      await pause(CALM_MS);
    },
  });
  tell('no more kills');
  calm.abort();
  await provider;
  await up(url, UP_MS * slow);
  // A control must also reach the situation from which the inbox protects: a changed event whose old message was
  // republished.
  const changed = () => (ledger.counts().acknowledged['change-sale'] ?? 0) > 0;
  const enough = () =>
    purchases() >= leastPurchases(kills) &&
    (!without || (changed() && echoes.late() > 0)) &&
    (without !== null || hasAlso(ledger.counts())) &&
    (rushes?.asked() ?? LEAST_RUSHED) >= LEAST_RUSHED &&
    (leavers?.erased() ?? 1) > 0;
  for (const until = Date.now() + PROGRESS_MS; !enough() && Date.now() < until;) await pause(100);
  if (without) await pause(CALM_MS);
  tell(`${echoes.count()} messages said again, ${echoes.late()} of them after newer ones`);
  const stopped = Promise.all([load.stop(), rushes?.stop(), leavers?.stop()]);
  await Promise.race([stopped, pause(GRACE_MS)]);
  over.abort();
  await Promise.all([stopped, echoes.stop()]);

  const hurry = async () => {
    await soberProvider(url, Date.now() + UP_MS * slow);
    await tryNow(database);
  };
  const quiet = async () => {
    const open = await settle({ database, bus, hurry, say: tell, withinMs: without ? BROKEN_MS : SETTLE_MS * slow });
    if (open.length === 0) ledger.ask({ call: 'rest', key: 'rest', to: 'nobody' })({ outcome: 'acknowledged' });
    return open;
  };
  await hurry();
  tell('waiting until everything has come to rest');
  const unsettled = await quiet();
  const closing = openClient(url, ledger, new AbortController().signal);
  await Promise.all(
    [...load.sales(), ...(rushes?.sales() ?? [])].map((eventId) => buyOut(closing, guestKeys[0]!, eventId)),
  );
  // Erases again now that every message is handled, because a late message may have stored an erased person's data
  // again.
  await eraseOnceMore(database);
  unsettled.push(...(await quiet()));
  const onBus = await marksOn(bus);
  await bus.close();

  const evidence = await readEvidence(database, ledger.file, onBus);
  const violations: Violation[] = check(evidence);
  const isPromotion = (purpose: string | undefined) => purpose === 'promotion' || purpose === 'livestream';
  return {
    chaos: without ? `without ${without}` : `${engines ? 'engines' : 'all'}${rush ? ', rush' : ''}`,
    seed,
    kills,
    hits,
    attempts: load.attempts(),
    purchases: purchases(),
    refunds: new Set(
      evidence.client.flatMap(({ call, outcome, key }) =>
        call === 'refund' && outcome === 'acknowledged' ? [key] : [],
      ),
    ).size,
    promotions: evidence.bank.filter(({ purpose, received }) => received > 0 && isPromotion(purpose)).length,
    forged: evidence.client.filter(({ call, outcome }) => call === 'forge' && outcome === 'refused').length,
    erased: evidence.people.erased.length,
    ads: evidence.bank.filter(({ purpose, received }) => received > 0 && purpose === 'ad').length,
    requests: ledger.counts().requests,
    echoes: echoes.count(),
    rushed: rushes?.asked() ?? 0,
    seconds: Math.round((Date.now() - began) / 1000),
    unsettled,
    violations: countOf(violations),
    examples: violations.map(({ kind, what }) => `${kind}: ${what}`),
    trail: trailOf(evidence, violations),
  };
}
