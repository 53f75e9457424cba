import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { publishAgain } from '@beltway/event-store';
import { openPool } from '@beltway/kit/postgres';
import { onDataFolder, root, script } from './launcher/script.ts';
import { StartError } from './launcher/start-error.ts';

/**
 * The result of a service's `src/rebuild.ts`: the number of replayed events, and digests of each table before and after
 * the rebuild.
 */
interface Rebuilt {
  events: number;
  tables: Array<{ table: string; rows: number; before: string; after: string }>;
}
type Rebuild = (databaseUrl: string) => Promise<Rebuilt>;

const entry = (service: string) => join(root, 'services', service, 'src', 'rebuild.ts');

/**
 * `npm run rebuild [-- ticketing …]` empties a service's read models, replays its log and compares the tables, while
 * the system is running or stopped. With one named service, or in the container of a service, it uses the database in
 * `DATABASE_URL`. Exit code 1 if a table has changed. With `--topics` the relays publish the complete logs again
 * instead of rebuilding, for topics that were lost or have expired (docs/operations/backup.md#the-topics-of-kafka).
 */
await script(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { topics: { type: 'boolean', default: false } },
  });
  // An image has only the folder of its own service.
  const able = readdirSync(join(root, 'services')).filter((name) => existsSync(entry(name)));
  const unknown = positionals.filter((name) => !able.includes(name));
  if (unknown.length > 0) throw new StartError(`Cannot rebuild ${unknown.join(', ')}, only ${able.join(', ')}`);
  const chosen = positionals.length > 0 ? positionals : able;

  const rebuildAll = async (url: (name: string) => string) => {
    for (const name of chosen) {
      const started = performance.now();
      const { rebuild } = (await import(pathToFileURL(entry(name)).href)) as { rebuild: Rebuild };
      const { tables, events } = await rebuild(url(name));
      console.log(`${name}: ${events} events replayed in ${Math.round(performance.now() - started)} ms`);
      for (const { table, rows, before, after } of tables) {
        const same = before === after;
        console.log(
          `  ${table}: ${same ? 'equal' : 'NOT EQUAL'}, ${rows} rows, ${same ? after : `${before} -> ${after}`}`,
        );
        if (!same) process.exitCode = 1;
      }
    }
  };
  const publishAll = async (url: (name: string) => string) => {
    for (const name of chosen) {
      const pool = openPool(url(name), { max: 2 });
      try {
        console.log(`${name}: ${await publishAgain(pool)} events are published again`);
      } finally {
        await pool.end();
      }
    }
  };
  const work = values.topics ? publishAll : rebuildAll;
  const outside = process.env['DATABASE_URL'];
  if (outside && chosen.length === 1) await work(() => outside);
  else await onDataFolder('DATABASE_URL, for one named service', work);
});
