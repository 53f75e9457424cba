import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { containerMemory, showMemory } from './memory-limit.ts';
import { metricsText } from './metrics.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

function group(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'cgroup-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const stat = 'anon 5\ninactive_file 300\ntotal_inactive_file 300\n';

test('the memory of a container is measured without cached files, against its own limit', async () => {
  const two = group({ 'memory.current': '1000\n', 'memory.max': '2000\n', 'memory.stat': stat });
  expect(await containerMemory(two)).toEqual({ used: 700, limit: 2000 });
  const one = group({
    ...{ 'memory/memory.usage_in_bytes': '1000\n', 'memory/memory.limit_in_bytes': '805306368\n' },
    'memory/memory.stat': stat,
  });
  expect(await containerMemory(one)).toEqual({ used: 700, limit: 805306368 });
  const end = showMemory(two);
  expect(await metricsText()).toMatch(/^memory_used_bytes 700$[^]*^memory_limit_bytes 2000$/m);
  end();
});

test('without a limit there is no value', async () => {
  const unlimited = [
    { 'memory.current': '1000\n', 'memory.max': 'max\n', 'memory.stat': stat },
    { 'memory/memory.usage_in_bytes': '1000\n', 'memory/memory.limit_in_bytes': '9223372036854771712\n' },
    {},
  ];
  for (const files of unlimited) expect(await containerMemory(group(files))).toBeUndefined();
});
