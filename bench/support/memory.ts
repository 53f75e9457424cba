import { readFileSync } from 'node:fs';
import { treeOf } from './cpu.ts';

export interface Memory {
  /** Sum of the processes' PSS, which counts a shared page once in total. MB of 2^20 bytes. */
  rssMb: number;
  /** The sum of the processes' resident memory: shared pages count once per process. */
  rssSumMb: number;
  processes: Array<{ pid: number; command: string; pssMb: number; rssMb: number }>;
}

/** Current memory of a process and its descendants. Linux only; only root can read other users' processes. */
export function memoryOf(root: number): Memory {
  const processes = treeOf(root).flatMap((pid) => {
    try {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      const mb = (field: string) => Number(new RegExp(`^${field}: +(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0) / 1_024;
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return [{ pid, command, pssMb: mb('Pss'), rssMb: mb('Rss') }];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EACCES') throw error;
      return []; // it has ended
    }
  });
  const sum = (pick: 'pssMb' | 'rssMb') => Math.round(processes.reduce((total, one) => total + one[pick], 0));
  return { rssMb: sum('pssMb'), rssSumMb: sum('rssMb'), processes };
}
