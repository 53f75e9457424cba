import { createServer } from 'node:http';
import { openStore } from '@beltway/event-store';
import { openBus } from '@beltway/kit/bus/open';
import { logger } from '@beltway/kit/logger';
import { openPool } from '@beltway/kit/postgres';
import { openRedis } from '@beltway/kit/redis';
import { createApp } from '../../services/realtime/src/app.ts';
import { toMessages } from '../../services/realtime/src/publish.ts';

/**
 * An instance of realtime's own app, without sign-in and limits: everyone is a guest. Notifies the parent when it
 * listens.
 */
const [, , url = '', busUrl = '', redisUrl = '', port = ''] = process.argv;
const log = logger('realtime', 'silent');
const bus = await openBus({ BUS_DATABASE_URL: busUrl });
await bus.ensureTopics([
  ...['realtime.events', 'identity.events', 'catalog.events', 'ticketing.events', 'payments.events'],
]);
const realtime = await createApp({
  ...{ log, bus, pool: openPool(url, { log }), store: openStore({ url, toMessages }), isUnlimited: true },
  redis: await openRedis({ url: redisUrl, log }),
  auth: {
    verify: () => Promise.reject(new Error('this process has no sign-in')),
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
server.listen(Number(port), '127.0.0.1', () => process.send!('listening'));
process.on('disconnect', () => process.exit(0));
