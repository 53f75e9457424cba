import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openStore, PLANS_FOR_ARRAYS } from '@beltway/event-store';
import { logger } from '@beltway/kit/logger';
import { openPool } from '@beltway/kit/postgres';
import { createApp } from '../../services/payments/src/app.ts';
import { openDb } from '../../services/payments/src/db.ts';
import { openPayments } from '../../services/payments/src/payment/stream.ts';
import { openPayoutAccounts } from '../../services/payments/src/payout/stream.ts';
import { openProvider } from '../../services/payments/src/provider/provider.ts';
import { toMessages } from '../../services/payments/src/publish.ts';

/**
 * Payments' own app in a separate process, without bus, workers, sign-in and log output; sends its port to the parent.
 */
const [, , url = '', webhookSecret = ''] = process.argv;
const log = logger('payments', 'silent');
const pool = openPool(url, { log, options: PLANS_FOR_ARRAYS });
const store = openStore({ url, toMessages });
const secretKey = 'sk_test_bench';
const app = createApp({
  ...{ log, pool, db: openDb(pool), secretKey, publishableKey: 'pk_test_bench', sandbox: true },
  payments: openPayments(store),
  payoutAccounts: openPayoutAccounts(store),
  // A closed port: webhooks need no request to the provider.
  provider: openProvider({ secretKey, webhookSecret, apiBase: 'http://127.0.0.1:9' }),
  auth: {
    signedIn: (_req, _res, next) => next(),
    optional: (_req, _res, next) => next(),
    role: () => (_req, _res, next) => next(),
  },
  internalToken: 'x'.repeat(32),
  publicUrl: 'http://localhost:3000',
  ticketing: { get: () => Promise.reject(new Error('this process has no such service')) },
});
const server = createServer(app);
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
