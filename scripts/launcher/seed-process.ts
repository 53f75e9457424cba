import { pathToFileURL } from 'node:url';
import type { SeedUrls } from './seed.ts';

/**
 * Entry of the process that `seedOnce` starts: receives the URLs as a message from the launcher, and forwards the
 * seed's output.
 */
type Seed = (urls: SeedUrls, say: (text: string) => void) => Promise<void>;

process.on('disconnect', () => process.exit(1));
async function run(urls: SeedUrls): Promise<void> {
  const { seed } = (await import(pathToFileURL(process.argv[2]!).href)) as { seed: Seed };
  await seed(urls, (text) => void process.send?.(text));
  process.exit(0);
}
// An unhandled rejection ends this process with its error.
process.once('message', (urls) => void run(urls as SeedUrls));
