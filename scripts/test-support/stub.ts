import { writeFileSync, writeSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { counter, metricsText } from '@beltway/kit/metrics';
import { runtime } from '@beltway/kit/runtime';
import { Client } from 'pg';

/**
 * A service for tests of the launcher: records its process id, counts its starts in its database, and can be made to
 * crash.
 */
const { SERVICE_PORT, SHARED_PORT, DATABASE_URL, STUB_NAME, STUB_PIDS } = runtime.env ?? process.env;
writeFileSync(join(STUB_PIDS!, String(process.pid)), STUB_NAME!);
const client = new Client({ connectionString: DATABASE_URL });
client.on('error', () => runtime.exit(1));
await client.connect();
await client.query('insert into starts default values');

const asked = counter('stub_asked_total', 'Questions to a stub');
const answer: RequestListener = async (request, response) => {
  if (request.url === '/die') return runtime.exit(1);
  if (request.url === '/metrics') return void response.end(await metricsText());
  asked.inc();
  if (request.url === '/starts') {
    const { rows } = await client.query('select count(*)::int as starts from starts');
    return void response.end(String(rows[0].starts));
  }
  response.end(STUB_NAME);
};
const host = '127.0.0.1';
if (SHARED_PORT) createServer(answer).listen({ port: Number(SHARED_PORT), host, reusePort: true });
createServer(answer).listen(Number(SERVICE_PORT), host);

const stop = (why: string) => {
  writeSync(runtime.logFd, `${JSON.stringify({ level: 30, msg: `stopping: ${why}`, at: Date.now() })}\n`);
  runtime.exit(0);
};
runtime.onStop(stop);
