import { parseArgs } from 'node:util';
import { openPool } from '@beltway/kit/postgres';
import { openDb } from '../services/ticketing/src/db.ts';
import { failedMails, retryMails } from '../services/ticketing/src/mail/failed.ts';
import { script, withEmbedded } from './launcher/embedded.ts';
import { dataDirOf } from './launcher/settings.ts';
import { StartError } from './launcher/start-error.ts';
import { databases } from './launcher/system.ts';

const USAGE = 'Usage: npm run mails [-- retry <order id> … | retry --all]';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Mails that were given up after twenty attempts. Without arguments it lists them with their last error; `retry` lets them be sent
 * again. In the database of `DATA_DIR`, or of `DATABASE_URL` (ticketing's).
 */
async function work(databaseUrl: string): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { all: { type: 'boolean', default: false } },
  });
  const [action, ...orderIds] = positionals;
  if (action !== undefined && (action !== 'retry' || values.all === orderIds.length > 0)) throw new StartError(USAGE);
  const wrong = orderIds.find((id) => !UUID.test(id));
  if (wrong !== undefined) throw new StartError(`${wrong} is no order id`);

  const pool = openPool(databaseUrl, { max: 1 });
  try {
    if (action === 'retry') {
      const count = await retryMails(openDb(pool), values.all ? undefined : orderIds);
      console.log(count === 1 ? '1 mail waits to be sent again' : `${count} mails wait to be sent again`);
      return;
    }
    const mails = await failedMails(openDb(pool));
    const lines = mails.map(
      ({ orderId, kind, lastError, createdAt }) =>
        `${orderId}  ${kind}  ${createdAt.toISOString()}  ${lastError ?? ''}`,
    );
    console.log(lines.length === 0 ? 'No mail was given up.' : lines.join('\n'));
  } finally {
    await pool.end();
  }
}

await script(async () => {
  const outside = process.env['DATABASE_URL'];
  if (outside) await work(outside);
  else await withEmbedded(dataDirOf(), databases, (url) => work(url('ticketing')));
});
