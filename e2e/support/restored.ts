import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Client } from 'pg';
import { databaseUrl } from '../../scripts/launcher/engines/databases.ts';
import { withServer } from '../../scripts/launcher/embedded.ts';

const catchingUp = join(import.meta.dirname, '..', '..', 'services', 'ticketing', 'src', 'catch-up.ts');

/** Runs statements as the superuser on the databases of a stopped copy. */
export const onDatabases = (dataDir: string, statements: string[]) =>
  withServer(dataDir, async ({ adminUrl }) => {
    const client = new Client({ connectionString: adminUrl });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  });

/** Runs the catch-up as an operator does, with ticketing's variables. */
export const catchUp = (dataDir: string) =>
  withServer(
    dataDir,
    ({ port, secrets }) =>
      new Promise<{ code: number | null; output: string }>((resolve) => {
        const child = spawn(process.execPath, [catchingUp], {
          env: {
            ...process.env,
            ...{ NODE_ENV: '', VITEST: '', SERVICE_PORT: '0', IDENTITY_URL: 'http://127.0.0.1:1' },
            DATABASE_URL: databaseUrl('ticketing', port, secrets),
            BUS_DATABASE_URL: databaseUrl('bus', port, secrets),
            TICKET_SECRET: secrets.TICKET_SECRET,
            INTERNAL_TOKEN: secrets.INTERNAL_TOKEN,
          },
        });
        let output = '';
        child.stdout.on('data', (chunk) => (output += chunk));
        child.stderr.on('data', (chunk) => (output += chunk));
        child.once('close', (code) => resolve({ code, output }));
      }),
  );
