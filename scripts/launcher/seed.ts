import { fork } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Surroundings } from './system.ts';

/**
 * Argument of `scripts/seed.ts`: the URL of each service by name, the public URL as `gateway`, and the internal token.
 */
export interface SeedUrls {
  [service: string]: string;
  gateway: string;
  internalToken: string;
}

/**
 * Fills a new data folder with demo data once: `file` exports `seed(urls: SeedUrls, print)`. The seed runs in a separate
 * process, so that its errors cannot affect the launcher. After an interrupted start the seed runs again, so it must be
 * idempotent. A folder that began without demo data is never seeded.
 */
export async function seedOnce(
  file: string,
  { settings, secrets, ports }: Surroundings,
  print: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const marker = join(settings.dataDir, 'seeded');
  if (existsSync(marker) || !existsSync(file)) return;
  if (settings.demo) {
    print('filling it with demo data');
    const addresses = Object.entries(ports).map(([name, [port]]) => [name, `http://127.0.0.1:${port}`]);
    const urls = { ...Object.fromEntries(addresses), internalToken: secrets.INTERNAL_TOKEN.split(',')[0] } as SeedUrls;
    const failure = await run(file, urls, print, signal);
    if (signal.aborted) return;
    if (failure) return print(`the demo data is not complete, the next start tries again: ${failure}`);
  }
  writeFileSync(marker, settings.demo ? 'demo data\n' : 'no demo data wanted\n');
}

/** Runs the seed. Returns the reason if it failed, otherwise undefined. */
function run(
  file: string,
  urls: SeedUrls,
  print: (text: string) => void,
  signal: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = fork(join(import.meta.dirname, 'seed-process.ts'), [file], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: ['--disable-warning=ExperimentalWarning'],
      signal,
    });
    let failure = '';
    child.stderr?.on('data', (chunk) => (failure += chunk));
    child.on('message', (text) => print(String(text)));
    child.on('error', (error) => (failure += error.message));
    child.on('close', (code) => resolve(code === 0 ? undefined : failure.trim() || `code ${code}`));
    child.send(urls, () => undefined);
  });
}
