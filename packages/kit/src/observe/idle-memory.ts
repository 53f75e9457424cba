import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_MS = 5_000;
/** Of one core: who uses less than this has nothing to do but to wait. */
const QUIET_SHARE = 0.05;

/**
 * Collects garbage once, when the process has become quiet after its start. V8 collects when it needs room, and an idle process needs
 * none: what its start has left behind (a third to a half of all it holds) would stay for ever. Thoroughly: code that was run once goes
 * too. Never again: code that V8 optimized under load is kept for the next load (docs/decisions/0015).
 */
export function collectAfterStart(lookMs: number = LOOK_MS): void {
  // Made here and not by a flag of the command line, which would give `gc` to all code.
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (how: { type: 'major'; flavor: 'last-resort' }) => void;
  setFlagsFromString('--no-expose-gc');
  let used = process.cpuUsage();
  const looks = setInterval(() => {
    const { user, system } = process.cpuUsage(used);
    used = process.cpuUsage();
    if (user + system > QUIET_SHARE * lookMs * 1_000) return;
    clearInterval(looks);
    gc({ type: 'major', flavor: 'last-resort' });
  }, lookMs).unref();
}
