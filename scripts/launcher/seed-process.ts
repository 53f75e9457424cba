import { pathToFileURL } from 'node:url';
import type { SeedUrls } from './seed.ts';

/** The process that `seedOnce` starts: gets the addresses as a message, passes back what the seed says. */
type Seed = (urls: SeedUrls, say: (text: string) => void) => Promise<void>;

process.on('disconnect', () => process.exit(1));
process.once('message', async (urls) => {
  const { seed } = (await import(pathToFileURL(process.argv[2]!).href)) as { seed: Seed };
  await seed(urls as SeedUrls, (text) => void process.send?.(text));
  process.exit(0);
});
