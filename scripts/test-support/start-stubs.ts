import { join } from 'node:path';
import { main } from '../launcher/main.ts';
import { instanceName } from '../launcher/services/replicas.ts';
import type { ServiceSpec } from '../launcher/system.ts';

const database = process.env['STUB_DATABASE'] ?? 'stub';

/**
 * Starts the launcher with two small services and a door instead of Beltway's services. `STUB_MIGRATIONS` is their
 * migrations folder.
 */
const spec = (name: string): ServiceSpec => ({
  name,
  entry: join(import.meta.dirname, 'stub.ts'),
  databases: [database],
  ready: (url) => `${url}/health/ready`,
  env: ({ ports, doorPort, databaseUrl }, index) => ({
    STUB_NAME: instanceName(name, index),
    SERVICE_PORT: String(ports[name]![index]),
    ...(name === 'door' && ports[name]!.length > 1 && { SHARED_PORT: String(doorPort) }),
    DATABASE_URL: databaseUrl(database),
  }),
});

await main(() => ({
  databases: [{ name: database, migrations: [process.env['STUB_MIGRATIONS']!] }],
  services: [spec('one'), spec('two'), spec('door')],
  ...(process.env['STUB_SEED'] && { seed: process.env['STUB_SEED'] }),
}));
