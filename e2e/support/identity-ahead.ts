import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runAhead } from './ahead.ts';

/**
 * Moves identity's clock two days ahead once the story has created this file in the data folder. Then tomorrow's event
 * is over for identity, while other services still sell and refund its tickets. `NODE_OPTIONS` loads this module into
 * every process of a story.
 */
const IS_AHEAD = 'identity-is-ahead';
const { DATA_DIR } = process.env;
if (DATA_DIR && process.argv[1]?.endsWith('services/identity/src/main.ts')) {
  const file = join(DATA_DIR, IS_AHEAD);
  runAhead(() => (existsSync(file) ? 2 * 86_400_000 : 0));
}
