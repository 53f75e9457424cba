import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of /proc: 100 a second on every Linux that Node supports (USER_HZ). */
const TICKS_PER_SECOND = 100;

interface Stat {
  pid: number;
  parent: number;
  /** Ticks of the process itself. */
  own: number;
  /** Ticks of its children that have ended. */
  ended: number;
}

function statOf(pid: number): Stat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain anything; the fields after it are numbers, state first.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const at = (index: number) => Number(fields[index]);
    return { pid, parent: at(1), own: at(11) + at(12), ended: at(13) + at(14) };
  } catch {
    return undefined;
  }
}

/** A process and its running descendants. */
export function treeOf(root: number): number[] {
  return treeStats(root).map(({ pid }) => pid);
}

function treeStats(root: number): Stat[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? []);
  const children = Map.groupBy(all, ({ parent }) => parent);
  const walk = (one: Stat): Stat[] => [one, ...(children.get(one.pid) ?? []).flatMap(walk)];
  const first = all.find(({ pid }) => pid === root);
  return first ? walk(first) : [];
}

/** CPU seconds of a process and its descendants so far, including ended ones. */
export const cpuSeconds = (root: number): number =>
  treeStats(root).reduce((sum, { own, ended }) => sum + own + ended, 0) / TICKS_PER_SECOND;

interface Taken {
  stolen: number;
  all: number;
}

/**
 * Ticks of the whole machine since boot. `stolen`: ticks in which the host ran other work (steal). `all`: all ticks.
 */
export function takenByHost(): Taken {
  const line = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))![1]!;
  // user nice system idle iowait irq softirq steal; the remaining fields are contained in the first two (proc(5)).
  const ticks = line.split(' ').slice(0, 8).map(Number);
  return { stolen: ticks[7]!, all: ticks.reduce((sum, one) => sum + one, 0) };
}

/**
 * Share of the machine's time since `before` in which its host ran other work. The machine was slower by this share.
 */
export function shareTaken(before: Taken): number {
  const now = takenByHost();
  return (now.stolen - before.stolen) / Math.max(1, now.all - before.all);
}
