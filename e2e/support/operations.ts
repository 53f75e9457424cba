import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Message } from '@beltway/contracts/common/basics';
import { openBus } from '@beltway/kit/bus/open';
import { databaseUrl } from '../../scripts/launcher/engines/databases.ts';
import { runningOn } from '../../scripts/launcher/data-folder/lock.ts';
import type { Secrets } from '../../scripts/launcher/secrets.ts';

const scripts = join(import.meta.dirname, '..', '..', 'scripts');

/** Runs one of the root's scripts on a data folder, as npm does. */
export function runScript(
  name: string,
  args: string[],
  dataDir: string,
  more: Record<string, string> = {},
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(scripts, name), ...args], {
      env: { ...process.env, DATA_DIR: dataDir, NODE_ENV: '', VITEST: '', ...more },
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.once('close', (code) => resolve({ code: code ?? -1, output }));
  });
}

/** Queries the databases of a running system, with one connection per query. */
export async function queryOf(dataDir: string) {
  const { postgresPort } = (await runningOn(dataDir))!;
  const secrets = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Secrets;
  return async (database: string, text: string, values?: unknown[]): Promise<Array<Record<string, unknown>>> => {
    const client = new Client({ connectionString: databaseUrl(database, postgresPort!, secrets) });
    await client.connect();
    try {
      return (await client.query(text, values)).rows as Array<Record<string, unknown>>;
    } finally {
      await client.end();
    }
  };
}

/** Publishes a message on a running system's bus without any validation. */
export async function publish(dataDir: string, topic: string, message: Message): Promise<void> {
  const { postgresPort } = (await runningOn(dataDir))!;
  const secrets = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Secrets;
  const bus = await openBus({ BUS_DATABASE_URL: databaseUrl('bus', postgresPort!, secrets) });
  try {
    await bus.publish(topic, [message]);
  } finally {
    await bus.close();
  }
}
