import { runAhead } from './ahead.ts';

/**
 * Moves the clock of ticketing's second instance ahead by an hour. `NODE_OPTIONS` loads this file into every process of
 * a story.
 */
const { SERVICE_PORT, TICKETING_URL = '' } = process.env;
const isSecond =
  process.argv[1]?.endsWith('services/ticketing/src/main.ts') &&
  TICKETING_URL.split(',')[1]?.endsWith(`:${SERVICE_PORT}`);

if (isSecond) runAhead(() => 3_600_000);
