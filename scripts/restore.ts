import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { restore } from './backup/restore.ts';
import { script } from './launcher/script.ts';
import { dataDirOf } from './launcher/settings.ts';
import { StartError } from './launcher/start-error.ts';

/** `npm run restore -- <folder>` restores an empty `DATA_DIR` from a folder that `npm run backup` wrote. */
await script(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [folder] = positionals;
  if (positionals.length !== 1 || !folder) throw new StartError('Usage: npm run restore -- <folder>');
  await restore({
    folder: resolve(process.env['INIT_CWD'] ?? '', folder),
    dataDir: dataDirOf(),
    say: (text) => console.log(text),
  });
});
