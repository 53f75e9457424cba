import { parentPort, Worker, workerData } from 'node:worker_threads';
import { requestOf } from '../support/connection.ts';
import { httpLoad } from '../support/http-load.ts';
import { pacedLoad } from '../support/paced-load.ts';
import { standBack } from '../support/system.ts';
import { holdRequests } from '../sell-out/holds.ts';

const CONNECTIONS = 256;
/** What the accounts are registered with (e2e/support/api.ts). */
const PASSWORD = 'orange-line-42';

export type Storm =
  | { what: 'logins'; port: number; accounts: string[]; perSecond: number; seconds: number }
  | { what: 'sale'; port: number; tokens: string[]; eventId: number; seconds: number };

/** Requests to sign in, by one account after the other. */
export function loginRequests(accounts: string[]): () => string {
  let turn = 0;
  return () => {
    const body = JSON.stringify({ email: accounts[turn++ % accounts.length], password: PASSWORD });
    return requestOf('POST', '/api/auth/login', ['content-type: application/json'], body);
  };
}

/**
 * A storm in a thread of its own, so that who measures beside it does not wait for its turns. It stands back: on a machine of its own it
 * would take nothing from what it blows at.
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
