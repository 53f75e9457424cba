import { readFile } from 'node:fs/promises';
import { gauges } from './metrics.ts';

/** Files of a control group, versions 2 and 1: memory usage, limit, and statistics with the page cache. */
const FILES = [
  ['memory.current', 'memory.max', 'memory.stat'],
  ['memory/memory.usage_in_bytes', 'memory/memory.limit_in_bytes', 'memory/memory.stat'],
] as const;
/** Version 1 reports at least this much if there is no limit. */
const NO_LIMIT = 2 ** 60;

/**
 * The container's memory and its limit; undefined if there is no limit. Excludes the page cache, because the system
 * reclaims it.
 */
export async function containerMemory(root = '/sys/fs/cgroup'): Promise<{ used: number; limit: number } | undefined> {
  for (const files of FILES) {
    const texts = await Promise.all(files.map((file) => readFile(`${root}/${file}`, 'utf8').catch(() => '')));
    const [usage, limit] = [Number(texts[0]?.trim() || NaN), Number(texts[1]?.trim() || NaN)];
    if (!(limit < NO_LIMIT) || Number.isNaN(usage)) continue;
    const cached = Number(/^(?:total_)?inactive_file (\d+)$/m.exec(texts[2] ?? '')?.[1] ?? 0);
    return { used: usage - cached, limit };
  }
  return undefined;
}

/**
 * Exports the memory of this container, including all its processes and its `/tmp`, and the limit at which the system
 * kills a process.
 */
export const showMemory = (root?: string): (() => void) =>
  gauges(
    {
      memory_used_bytes: 'Memory of the container, with its other processes and files in memory',
      memory_limit_bytes: 'At this much memory a process of the container is killed; missing: there is no limit',
    },
    [],
    async () => {
      const found = await containerMemory(root);
      return found ? [{ values: { memory_used_bytes: found.used, memory_limit_bytes: found.limit } }] : [];
    },
  );
