import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from './start-error.ts';

const hex = (bytes: number) => randomBytes(bytes).toString('hex');

/** One entry per secret of the system. A later version may add secrets but must not change existing secrets. */
const makers = {
  POSTGRES_PASSWORD: () => hex(24),
  DATABASE_SECRET: () => hex(32),
  INTERNAL_TOKEN: () => hex(32),
  KEY_ENCRYPTION_SECRET: () => hex(32),
  TICKET_SECRET: () => hex(32),
  VAPID_PRIVATE_KEY: () => hex(32),
  STRIPE_SECRET_KEY: () => `sk_test_${hex(24)}`,
  STRIPE_PUBLISHABLE_KEY: () => `pk_test_${hex(24)}`,
  STRIPE_WEBHOOK_SECRET: () => `whsec_${hex(24)}`,
};

export type Secrets = Record<keyof typeof makers, string>;

/** Reads `DATA_DIR/secrets.json`, readable only by its owner, and creates missing secrets. */
export function secretsOf(dataDir: string): Secrets {
  const file = join(dataDir, 'secrets.json');
  const before = read(file);
  if (!before && existsSync(join(dataDir, 'postgres'))) {
    throw new StartError(
      `${dataDir} has a database but no secrets.json to open it with. Put that file back, or start with an empty DATA_DIR.`,
    );
  }
  const made = Object.entries(makers).map(([name, make]) => [name, before?.[name] ?? make()]);
  const secrets = Object.fromEntries(made) as Secrets;
  if (Object.keys(makers).some((name) => !before?.[name])) write(file, { ...before, ...secrets });
  return secrets;
}

function read(file: string): Record<string, string> | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  } catch {
    throw new StartError(
      `${file} is not readable as JSON. Without its secrets the data beside it cannot be opened; it is left as it is.`,
    );
  }
}

/** Writes a temporary file and renames it, so that a killed start leaves no incomplete file. */
function write(file: string, secrets: Record<string, string>): void {
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** The password of a database's own role. */
export const databasePassword = (secrets: Pick<Secrets, 'DATABASE_SECRET'>, database: string): string =>
  createHash('sha256').update(`${database}\0${secrets.DATABASE_SECRET}`).digest('hex').slice(0, 48);
