import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runAhead } from './ahead.ts';

/**
 * Loaded into every process of a story by `NODE_OPTIONS`: once the story has written this file into the data folder, identity
 * believes that it is the day after tomorrow. There an event of tomorrow is over, whose tickets are sold and refunded elsewhere.
 */
const IS_AHEAD = 'identity-is-ahead';
const { DATA_DIR } = process.env;
if (DATA_DIR && process.argv[1]?.endsWith('services/identity/src/main.ts')) {
  const file = join(DATA_DIR, IS_AHEAD);
  runAhead(() => (existsSync(file) ? 2 * 86_400_000 : 0));
}
