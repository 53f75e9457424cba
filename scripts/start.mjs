import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Plain JavaScript, and the launcher is cached in compiled form, so that Node does not load its type stripper. The type
// stripper would take half a second of the start, and 20 MB permanently.
enableCompileCache(join(import.meta.dirname, '..', '.cache', 'node-compile'));
const { main } = await import('./launcher/main.ts');
const { beltway } = await import('./launcher/system.ts');
await main(beltway);
