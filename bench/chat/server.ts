import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openStore } from '@beltway/event-store';
import { openBus } from '@beltway/kit/bus/open';
import { logger } from '@beltway/kit/logger';
import { openPool } from '@beltway/kit/postgres';
import { createApp } from '../../services/realtime/src/app.ts';
import { toMessages } from '../../services/realtime/src/publish.ts';

/**
 * Realtime's own app in a separate process, with its event log but without sign-in: a token is an account id. Sends its
 * port to the parent.
 */
const [, , url = '', busUrl = ''] = process.argv;
const log = logger('realtime', 'silent');
const bus = await openBus({ BUS_DATABASE_URL: busUrl });
await bus.ensureTopics([
  ...['realtime.events', 'identity.events', 'catalog.events', 'ticketing.events', 'payments.events'],
]);
const realtime = await createApp({
  ...{ log, bus, pool: openPool(url, { log }), store: openStore({ url, toMessages }), isUnlimited: true },
  auth: {
    verify: async (token) => ({
      ...{ id: Number(token), name: `Writer ${token}`, email: 'writer@bench.test' },
      ...{ role: 'user', sessionId: token, isVerified: true },
    }),
    signedIn: (_req, _res, next) => next(),
    optional: (_req, _res, next) => next(),
    onEnded: () => undefined,
  },
  catalog: { get: async () => ({ accounts: [] }) },
  media: { post: () => Promise.reject(new Error('this process has no such service')) },
  identity: {
    get: () => Promise.reject(new Error('this process has no such service')),
    post: () => Promise.reject(new Error('this process has no such service')),
  },
  mailer: { send: async () => undefined },
  internalToken: 'x'.repeat(32),
  publicUrl: 'http://localhost:3000',
});
const server = createServer(realtime.handler);
realtime.attach(server);
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
