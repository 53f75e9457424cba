import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// In plain JavaScript, so that nothing of the launcher is translated when it was before: Node then leaves out its translator,
// which would take half a second of the start and 20 MB for as long as we run.
enableCompileCache(join(import.meta.dirname, '..', '.cache', 'node-compile'));
const { main } = await import('./launcher/main.ts');
const { beltway } = await import('./launcher/system.ts');
await main(beltway);
