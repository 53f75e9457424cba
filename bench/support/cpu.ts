import { readdirSync, readFileSync } from 'node:fs';

/** A clock tick of /proc; 100 a second on every Linux that Node runs on (USER_HZ). */
const TICKS_PER_SECOND = 100;

interface Stat {
  pid: number;
  parent: number;
  /** Ticks of the process itself, and of its children that have ended. */
  own: number;
  ended: number;
}

function statOf(pid: number): Stat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything; the fields after it are numbers, state first.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const at = (index: number) => Number(fields[index]);
    return { pid, parent: at(1), own: at(11) + at(12), ended: at(13) + at(14) };
  } catch {
    return undefined;
  }
}

/** A process and all below it, as far as they live. */
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

/** CPU seconds that a process and all below it have used so far, with those below that have ended. */
export const cpuSeconds = (root: number): number =>
  treeStats(root).reduce((sum, { own, ended }) => sum + own + ended, 0) / TICKS_PER_SECOND;

interface Taken {
  stolen: number;
  all: number;
}

/** Of the whole machine since it runs: ticks in which it could have run and its host ran something else, and all ticks. */
export function takenByHost(): Taken {
  const line = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))![1]!;
  // user nice system idle iowait irq softirq steal; what follows is contained in the first two (proc(5)).
  const ticks = line.split(' ').slice(0, 8).map(Number);
  return { stolen: ticks[7]!, all: ticks.reduce((sum, one) => sum + one, 0) };
}

/** The share of the machine's time since `before` that its host gave to others. Where it is much, the machine was slower by as much. */
export function shareTaken(before: Taken): number {
  const now = takenByHost();
  return (now.stolen - before.stolen) / Math.max(1, now.all - before.all);
}
