import { join } from 'node:path';
import { createBuilder } from 'vite';

/**
 * `node frontend/scripts/first-screens.ts folder` builds only the first screens, for tests:
 * `.gateway/first-screens.js`.
 */
const outDir = process.argv[2];
if (!outDir) throw new Error('Where to? node frontend/scripts/first-screens.ts folder');
const builder = await createBuilder({
  root: join(import.meta.dirname, '..'),
  mode: 'production',
  logLevel: 'warn',
  build: { outDir },
});
await builder.build(builder.environments['ssr']!);
