import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './settings.ts';
import type { Surroundings } from './system.ts';

/** What `scripts/seed.ts` gets: the address of each service by name, the public one as `gateway`, and the services' own token. */
export interface SeedUrls {
  [service: string]: string;
  gateway: string;
  internalToken: string;
}

/**
 * Fills a fresh data folder with demo data, once: `scripts/seed.ts`, `export async function seed(urls: SeedUrls, say)`. A start
 * that is cut off in between seeds again, so it must bear that. A folder that began without demo data is never seeded.
 */
export async function seedOnce({ settings, secrets, ports }: Surroundings, say: (text: string) => void): Promise<void> {
  const file = join(root, 'scripts', 'seed.ts');
  const marker = join(settings.dataDir, 'seeded');
  if (existsSync(marker) || !existsSync(file)) return;
  if (settings.demo) {
    say('filling it with demo data');
    const urls = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, `http://127.0.0.1:${port}`]));
    try {
      const { seed } = (await import(pathToFileURL(file).href)) as {
        seed: (urls: SeedUrls, say: (text: string) => void) => Promise<void>;
      };
      await seed({ ...urls, gateway: urls['gateway'] ?? '', internalToken: secrets.INTERNAL_TOKEN }, say);
    } catch (error) {
      say(`the demo data is not complete, the next start tries again: ${(error as Error).message}`);
      return;
    }
  }
  writeFileSync(marker, settings.demo ? 'demo data\n' : 'no demo data wanted\n');
}
