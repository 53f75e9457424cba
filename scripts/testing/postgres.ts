import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from '@beltway/test-engines/folder';
import { startTestPostgres, type TestPostgres } from '@beltway/test-engines/postgres';
import { startPostgres } from '../launcher/engines/postgres.ts';

/**
 * vitest's global setup of the project `int`: starts one server for the whole run. The server ends with the run in any
 * case.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['TEST_DATABASE_URL']) return undefined;
  const server = await startTestPostgres(embedded);
  // Test files run in child processes, which inherit this variable.
  process.env['TEST_DATABASE_URL'] = server.url;
  return async () => {
    delete process.env['TEST_DATABASE_URL'];
    await server.stop();
  };
}

async function embedded(): Promise<TestPostgres> {
  const folder = testFolder('beltway-test-');
  await chmod(folder, 0o711);
  const server = await startPostgres({
    folder: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    password: randomBytes(16).toString('hex'),
    durable: false,
    temporary: true,
  });
  return {
    what: 'embedded',
    url: server.url('postgres'),
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
