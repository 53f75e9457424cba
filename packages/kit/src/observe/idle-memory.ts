import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_MS = 5_000;
/** Share of one core below which the process counts as idle. */
const QUIET_SHARE = 0.05;

/**
 * Collects garbage once, when the process has become idle after its start. V8 collects only when it needs memory, so an
 * idle process would keep the garbage of its start (a third to a half of its heap) indefinitely. A last-resort
 * collection also drops code that ran once. The collection is not repeated, so that code that was optimized under load
 * stays for the next load (docs/decisions/0015).
 */
export function collectAfterStart(lookMs: number = LOOK_MS): void {
  // `gc` is created in its own context, because a command-line flag would expose it to all code.
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
