import { parentPort, Worker, workerData } from 'node:worker_threads';
import { requestOf } from '../support/connection.ts';
import { httpLoad } from '../support/http-load.ts';
import { pacedLoad } from '../support/paced-load.ts';
import { standBack } from '../support/system.ts';
import { holdRequests } from '../sell-out/holds.ts';

const CONNECTIONS = 256;
/** Password of the registered accounts (e2e/support/api.ts). */
const PASSWORD = 'orange-line-42';

export type Storm =
  | { what: 'logins'; port: number; accounts: string[]; perSecond: number; seconds: number }
  | { what: 'sale'; port: number; tokens: string[]; eventId: number; seconds: number };

/** Returns the next sign-in request, for one account after the other. */
export function loginRequests(accounts: string[]): () => string {
  let turn = 0;
  return () => {
    const body = JSON.stringify({ email: accounts[turn++ % accounts.length], password: PASSWORD });
    return requestOf('POST', '/api/auth/login', ['content-type: application/json'], body);
  };
}

/**
 * A storm in a separate thread, so that it does not delay the measurement. It runs at low priority, because a real
 * storm comes from other machines and takes no CPU time from the measured system.
 */
export function blow(storm: Storm): { end(): Promise<Record<number, number>> } {
  const worker = new Worker(new URL(import.meta.url), { workerData: storm });
  const statuses = new Promise<Record<number, number>>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
  });
  return {
    end: () => {
      worker.postMessage('over');
      return statuses;
    },
  };
}

const storm = workerData as Storm | null;
if (parentPort && storm) {
  standBack();
  let over = false;
  parentPort.once('message', () => (over = true));
  const load = { port: storm.port, seconds: storm.seconds, connections: CONNECTIONS, isOver: () => over };
  const { statuses } =
    storm.what === 'logins'
      ? await pacedLoad({ ...load, perSecond: storm.perSecond, next: loginRequests(storm.accounts) })
      : await httpLoad({ ...load, next: holdRequests(storm.tokens, storm.eventId) });
  parentPort.postMessage(statuses);
}
