import { readFile } from 'node:fs/promises';
import { gauges } from './metrics.ts';

/** Files of a control group's memory, of version 2 and 1: what is used, its limit, and the statistics with the cache of files. */
const FILES = [
  ['memory.current', 'memory.max', 'memory.stat'],
  ['memory/memory.usage_in_bytes', 'memory/memory.limit_in_bytes', 'memory/memory.stat'],
] as const;
/** Version 1 has this much and more where there is no limit. */
const NO_LIMIT = 2 ** 60;

/** Memory of the container without the cache of files, which the system takes back, and its limit; undefined where none is set. */
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

/** Shows the memory of this container, all its processes and its `/tmp`, by the limit at which the system kills. */
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
