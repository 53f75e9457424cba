import { parseArgs } from 'node:util';
import { migrate } from '@beltway/kit/migrate';
import { withEmbedded } from './launcher/embedded.ts';
import { script } from './launcher/script.ts';
import { dataDirOf } from './launcher/settings.ts';
import { StartError } from './launcher/start-error.ts';
import { databases } from './launcher/system.ts';

/**
 * `npm run migrate [-- --service ticketing]` migrates the databases in `TICKETING_DATABASE_URL` and so on, or with
 * `--service` the database in `DATABASE_URL`. Without these variables it migrates the embedded server of `DATA_DIR`.
 */
await script(async () => {
  const { service } = parseArgs({ options: { service: { type: 'string' } } }).values;
  const chosen = service ? databases.filter(({ name }) => name === service) : databases;
  if (chosen.length === 0) {
    throw new StartError(`There is no service "${service}", only ${databases.map(({ name }) => name).join(', ')}`);
  }
  const given = (name: string) =>
    process.env[`${name.toUpperCase()}_DATABASE_URL`] || (service ? process.env['DATABASE_URL'] : undefined);
  const outside = chosen.filter(({ name }) => given(name));

  const bring = async (url: (name: string) => string, names: typeof chosen) => {
    for (const { name, migrations } of names) {
      const applied = await migrate(url(name), migrations);
      console.log(`${name}: ${applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`}`);
    }
  };
  if (outside.length > 0) await bring((name) => given(name)!, outside);
  else await withEmbedded(dataDirOf(), databases, (url) => bring(url, chosen));
});
