import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseReplicas, type Replicas } from './replicas.ts';
import { StartError } from './start-error.ts';

export { StartError } from './start-error.ts';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

export interface Settings {
  port: number;
  /** Everything this copy keeps: the database, secrets, uploaded files, mails, logs. */
  dataDir: string;
  demo: boolean;
  rateLimits: boolean;
  replicas: Replicas;
  dev: boolean;
}

/** `DATA_DIR`, from the root of the repository; default `.data`. */
export const dataDirOf = (env: NodeJS.ProcessEnv = process.env): string => resolve(root, env['DATA_DIR'] || '.data');

const isOff = (value: string | undefined) => value === '0' || value === 'off' || value === 'false';

export function readSettings(env: NodeJS.ProcessEnv = process.env, args: string[] = process.argv.slice(2)): Settings {
  const port = Number(env['PORT'] || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new StartError(`PORT must be a port number, not "${env['PORT']}"`);
  const unknown = args.filter((arg) => arg !== '--dev');
  if (unknown.length > 0) throw new StartError(`Unknown option ${unknown.join(' ')}; there is only --dev`);
  return {
    port,
    dataDir: dataDirOf(env),
    demo: !isOff(env['BELTWAY_DEMO']),
    rateLimits: !isOff(env['BELTWAY_RATE_LIMITS']),
    replicas: parseReplicas(env['BELTWAY_REPLICAS']),
    dev: args.includes('--dev'),
  };
}
