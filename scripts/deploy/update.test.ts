import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'update-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/**
 * Runs the update with a stub of `docker` that records its calls. Two instances of ticketing are running, and one of
 * each other service.
 */
function update(args: string[], { fails = 'no such call', images = 'true' } = {}) {
  const docker = `#!/bin/sh
echo "$*" >> ${folder}/calls
case "$*" in
  *'${fails}'*) echo "no: $*" >&2; exit 1 ;;
  "image inspect"*) ${images} ;;
  "compose ps --quiet ticketing") printf 't1\\nt2\\n'; if grep -q ticketing=4 ${folder}/calls; then echo t3; fi ;;
  "compose ps --quiet gateway-2") ;;
  "compose ps --quiet"*) echo old-$4 ;;
esac
`;
  writeFileSync(join(folder, 'docker'), docker);
  chmodSync(join(folder, 'docker'), 0o755);
  const { status, stderr, stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'update.mjs'), ...args], {
    env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` },
    encoding: 'utf8',
  });
  const file = join(folder, 'calls');
  const calls = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  return { status, stderr, stdout, calls };
}

test('images are kept, built and migrated before the first instance is replaced, and the probe runs last', () => {
  const { status, calls, stdout } = update([]);
  expect(status).toBe(0);
  const at = (call: string) => {
    const place = calls.findIndex((one) => one.startsWith(call));
    expect(place, call).toBeGreaterThan(-1);
    return place;
  };
  const order = [
    'tag beltway/ticketing:latest beltway/ticketing:previous',
    'compose build',
    'compose run --rm -T migrate-ticketing',
    'compose up --detach --no-deps --no-recreate --wait --scale ticketing=4 ticketing',
    'stop --time 40 t1',
    'rm t1',
    'stop --time 40 t2',
    'compose up --detach --no-deps --wait gateway',
    'compose exec -T -e BELTWAY_URL=http://127.0.0.1:3000 gateway node scripts/deploy/probe.ts --once',
  ];
  expect(order.map(at)).toEqual(order.map(at).toSorted((a, b) => a - b));
  expect(calls.filter((call) => call.endsWith('gateway-2'))).toEqual(['compose ps --quiet gateway-2']);
  expect(stdout).toMatch(/Updated to [0-9a-f]{12}\n$/);
});

test('a successor that does not become healthy ends the update and is removed; no old instance is stopped', () => {
  const { status, calls, stderr } = update([], { fails: 'ticketing=4' });
  expect(status).toBe(1);
  expect(calls.filter((call) => /^(stop|rm) .*\bt[12]$/.test(call))).toEqual([]);
  expect(calls.at(-1)).toBe('rm --force t3');
  expect(stderr).toContain('To go back: node scripts/deploy/update.mjs --back');
});

test('--back runs the previous images, without building or migrating, and refuses if there are none', () => {
  const { status, calls } = update(['--back']);
  expect(status).toBe(0);
  expect(calls).toContain('tag beltway/ticketing:previous beltway/ticketing:latest');
  expect(calls.filter((call) => /^compose (build|run)/.test(call))).toEqual([]);
  rmSync(join(folder, 'calls'));
  const refused = update(['--back'], { images: 'exit 1' });
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain('There is no beltway/identity:previous to go back to');
  expect(refused.calls.filter((call) => call.startsWith('tag'))).toEqual([]);
});
