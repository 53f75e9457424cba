import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { script, withEmbedded } from './launcher/embedded.ts';
import { dataDirOf, root } from './launcher/settings.ts';
import { StartError } from './launcher/start-error.ts';
import { databases } from './launcher/system.ts';

/** What a service's `src/rebuild.ts` answers: per table its digest before and after, and how many events were replayed. */
interface Rebuilt {
  events: number;
  tables: Array<{ table: string; rows: number; before: string; after: string }>;
}
type Rebuild = (databaseUrl: string) => Promise<Rebuilt>;

const entry = (service: string) => join(root, 'services', service, 'src', 'rebuild.ts');

/**
 * `npm run rebuild [-- ticketing …]` empties a service's read models and replays its log, beside the running system or
 * without it, and compares. `DATABASE_URL` with one service named: that database. Exit code 1 when a table came out different.
 */
await script(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const able = databases.map(({ name }) => name).filter((name) => existsSync(entry(name)));
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
  const outside = process.env['DATABASE_URL'];
  if (outside && chosen.length === 1) await rebuildAll(() => outside);
  else await withEmbedded(dataDirOf(), databases, rebuildAll);
});
