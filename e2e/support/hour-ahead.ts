import { runAhead } from './ahead.ts';

/** Loaded into every process of a story by `NODE_OPTIONS`: the second instance of ticketing believes that it is an hour later. */
const { SERVICE_PORT, TICKETING_URL = '' } = process.env;
const isSecond =
  process.argv[1]?.endsWith('services/ticketing/src/main.ts') &&
  TICKETING_URL.split(',')[1]?.endsWith(`:${SERVICE_PORT}`);

if (isSecond) runAhead(() => 3_600_000);
