import { setTimeout as pause } from 'node:timers/promises';
import { descendants } from '../../e2e/support/processes.ts';
import { commandOf } from '../../scripts/launcher/processes/processes.ts';
import { random } from '../random.ts';
import type { Proc, System } from './system.ts';

/**
 * A planned kill. The target is a process name, or the PostgreSQL backend of one connection, whose death restarts the
 * whole server.
 */
export interface Kill {
  n: number;
  /** In ms after the previous kill. */
  after: number;
  target: string;
  /** Selects one of several candidates (instances, backends): a position in the list, from 0 (start) to 1 (end). */
  which: number;
  /** Whether this is the last kill of its burst, after which the system may recover. */
  ends: boolean;
}

export type Targets = ReadonlyArray<readonly [copies: number, target: string]>;

export const EMBEDDED: Targets = [
  [8, 'ticketing'],
  [4, 'payments'],
  [3, 'gateway'],
  [3, 'sandbox'],
  [2, 'catalog'],
  [1, 'identity'],
  [1, 'realtime'],
  [1, 'media'],
  [3, 'backend'],
  [2, 'postgres'],
];

export const ENGINES: Targets = [...EMBEDDED, [3, 'kafka'], [2, 'redis']];

const LONGEST_BURST = 4;

/**
 * The complete plan, determined by the seed. Targets are drawn without replacement, so that even a short run hits most
 * of them.
 */
export function killPlan(seed: string, count: number, targets: Targets): Kill[] {
  const { int, next, chance } = random(`${seed}:kills`);
  const pack: string[] = [];
  const draw = () => {
    if (pack.length === 0) pack.push(...targets.flatMap(([copies, target]) => Array<string>(copies).fill(target)));
    return pack.splice(int(0, pack.length - 1), 1)[0]!;
  };
  let inBurst = 0;
  return Array.from({ length: count }, (_, n) => {
    const ends = ++inBurst === LONGEST_BURST || chance(0.4);
    if (ends) inBurst = 0;
    return { n, after: int(100, 900), target: draw(), which: next(), ends };
  });
}

const at = <T>(list: T[], share: number): T | undefined => list[Math.floor(share * list.length)];

function victimOf({ target, which }: Kill, processes: Proc[]): number | undefined {
  const named = (service: string) => processes.filter((one) => one.service === service);
  if (target !== 'backend') return at(named(target), which)?.pid;
  const server = at(named('postgres'), 0)?.pid;
  // Matches only backends of connections: "postgres: ticketing ticketing 127.0.0.1(41236) idle".
  return (
    server &&
    at(
      descendants(server).filter((pid) => /postgres: \S+ \S+ 127\.0\.0\.1/.test(commandOf(pid))),
      which,
    )
  );
}

/** Sends SIGKILL to the planned target. Returns false if the target is not running, because it was just killed. */
export function strike(kill: Kill, system: System): boolean {
  const pid = victimOf(kill, system.processes());
  if (pid === undefined) return false;
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}

export interface Killing {
  /** How long a killed process may take to restart before it can be killed again. */
  backMs: number;
  /** Called after each burst; resolves when the system has recovered. */
  recovered: () => Promise<void>;
  say: (text: string) => void;
  stopped: AbortSignal;
}

/**
 * Executes the plan. If a target is not running, waits for it, so that every planned kill hits a process. Returns the
 * number of hits for each target.
 */
export async function killAll(
  plan: Kill[],
  system: System,
  { backMs, recovered, say, stopped }: Killing,
): Promise<Record<string, number>> {
  const hits: Record<string, number> = {};
  for (const kill of plan) {
    await pause(kill.after);
    const giveUp = Date.now() + backMs;
    while (!strike(kill, system)) {
      if (stopped.aborted) return hits;
      if (Date.now() > giveUp) throw new Error(`${kill.target} did not come back within ${backMs} ms`);
      await pause(50);
    }
    hits[kill.target] = (hits[kill.target] ?? 0) + 1;
    say(`kill ${kill.n + 1}: ${kill.target}`);
    if (kill.ends) await recovered();
  }
  return hits;
}
