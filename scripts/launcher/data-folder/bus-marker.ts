import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../start-error.ts';

/**
 * A data folder keeps the kind of bus that it began with, because consumers on the other kind would never receive the
 * earlier messages. Throws a `StartError` if this start would use the other kind.
 */
export function keepBus(dataDir: string, bus: 'kafka' | 'database'): void {
  const file = join(dataDir, 'bus');
  // Folders from versions that had only one kind of bus have no marker.
  const before = existsSync(file)
    ? readFileSync(file, 'utf8').trim()
    : existsSync(join(dataDir, 'postgres'))
      ? 'database'
      : bus;
  if (before !== bus) {
    const advice = before === 'kafka' ? 'npm run start:engines' : 'npm start, without KAFKA_BROKERS';
    throw new StartError(`${dataDir} began with another bus. Start it by ${advice}, or use another DATA_DIR.`);
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(file, `${bus}\n`, { mode: 0o600 });
}
