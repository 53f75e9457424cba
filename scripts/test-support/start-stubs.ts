import { join } from 'node:path';
import { databaseUrl } from '../launcher/databases.ts';
import { main } from '../launcher/main.ts';
import { instanceName } from '../launcher/replicas.ts';
import type { ServiceSpec } from '../launcher/system.ts';

/** The launcher with two small services and a door in place of Beltway's: `STUB_MIGRATIONS` is their migrations folder. */
const spec = (name: string): ServiceSpec => ({
  name,
  entry: join(import.meta.dirname, 'stub.ts'),
  databases: ['stub'],
  ready: (url) => `${url}/health/ready`,
  env: ({ ports, doorPort, postgresPort, secrets }, index) => ({
    STUB_NAME: instanceName(name, index),
    SERVICE_PORT: String(ports[name]![index]),
    ...(name === 'door' && ports[name]!.length > 1 && { SHARED_PORT: String(doorPort) }),
    DATABASE_URL: databaseUrl('stub', postgresPort, secrets),
  }),
});

await main(() => ({
  databases: [{ name: 'stub', migrations: [process.env['STUB_MIGRATIONS']!] }],
  services: [spec('one'), spec('two'), spec('door')],
  ...(process.env['STUB_SEED'] && { seed: process.env['STUB_SEED'] }),
}));
