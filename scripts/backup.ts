import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { backUp } from './backup/back-up.ts';
import { withServer } from './launcher/embedded.ts';
import { script } from './launcher/script.ts';
import { dataDirOf } from './launcher/settings.ts';
import { StartError } from './launcher/start-error.ts';

const OTHERWISE = 'docs/operations/backup.md says how its engines are backed up.';

/**
 * `npm run backup -- <folder>` copies `DATA_DIR` with all its databases into an empty folder, while the system is
 * running or stopped. Relative paths start at the caller's folder. The copy contains the secrets, so anyone who has the
 * copy can read everything.
 */
await script(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [folder] = positionals;
  if (positionals.length !== 1 || !folder) throw new StartError('Usage: npm run backup -- <folder>');
  const dataDir = dataDirOf();
  if (process.env['DATABASE_SERVER_URL'])
    throw new StartError(`DATABASE_SERVER_URL names a PostgreSQL that is not ours. ${OTHERWISE}`);
  const bus = join(dataDir, 'bus');
  if (existsSync(bus) && readFileSync(bus, 'utf8').trim() === 'kafka')
    throw new StartError(`The bus of ${dataDir} is Kafka. ${OTHERWISE}`);
  await withServer(dataDir, ({ adminUrl }) =>
    backUp({
      dataDir,
      folder: resolve(process.env['INIT_CWD'] ?? '', folder),
      adminUrl,
      say: (text) => console.log(text),
    }),
  );
});
