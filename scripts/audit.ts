import { differences, type Difference } from './audit/differences.ts';
import { onDataFolder, script } from './launcher/script.ts';
import { StartError } from './launcher/start-error.ts';

const SERVICES = ['ticketing', 'payments', 'catalog', 'realtime'];
const SHOWN = 20;

function show({ what, then, examples, count }: Difference): void {
  console.log(`${count === 0 ? 'ok       ' : 'DIFFERENT'}  ${what}: ${count}`);
  if (count === 0) return;
  for (const example of examples) console.log(`             ${example}`);
  if (count > examples.length) console.log(`             and ${count - examples.length} more`);
  console.log(`           ${then}`);
}

/**
 * `npm run audit` compares the data of ticketing, payments, catalog and realtime about the same orders, payments and
 * stock. It only reads their databases: those of `DATA_DIR`, or of `TICKETING_DATABASE_URL`, `PAYMENTS_DATABASE_URL`
 * and so on. Exit code 1 if something differs.
 */
await script(async () => {
  const given = (name: string) => process.env[`${name.toUpperCase()}_DATABASE_URL`];
  const outside = SERVICES.filter(given);
  const missing = SERVICES.filter((name) => !given(name));
  if (outside.length > 0 && missing.length > 0)
    throw new StartError(`Missing: ${missing.map((name) => `${name.toUpperCase()}_DATABASE_URL`).join(', ')}`);

  const audit = async (url: (name: string) => string) => {
    for (const difference of await differences(url, SHOWN)) {
      show(difference);
      if (difference.count > 0) process.exitCode = 1;
    }
  };
  if (outside.length > 0) await audit((name) => given(name)!);
  else await onDataFolder('TICKETING_DATABASE_URL', audit);
});
