import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../start-error.ts';

/**
 * A data folder stays with the bus it began with: what one bus has carried, readers of the other would never see. Throws a
 * `StartError` when this start would use the other one.
 */
export function keepBus(dataDir: string, bus: 'kafka' | 'database'): void {
  const file = join(dataDir, 'bus');
  // Folders from before there was a choice have no note.
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
