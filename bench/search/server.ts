import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openStore } from '@beltway/event-store';
import { unlimited } from '@beltway/kit/allowances';
import { logger } from '@beltway/kit/logger';
import { openPool } from '@beltway/kit/postgres';
import { openAds } from '../../services/catalog/src/ads/stream.ts';
import { createApp } from '../../services/catalog/src/app.ts';
import { openListings } from '../../services/catalog/src/event/stream.ts';
import { toMessages } from '../../services/catalog/src/publish.ts';
import { openFeedPool, openSearchPool } from '../../services/catalog/src/search/pool.ts';

/** The catalog's own app in a separate process, without bus and sign-in; sends its port to the parent. */
const url = process.argv[2]!;
const log = logger('catalog', 'silent');
const nobody = () => Promise.reject(new Error('this process has no sign-in'));
const store = openStore({ url, toMessages });
const pool = openPool(url, { log });
const app = createApp({
  log,
  listings: openListings(store),
  ads: openAds(store),
  pool,
  searchPool: openSearchPool(url, log),
  feedPool: openFeedPool(url, log),
  auth: {
    signedIn: (_req, _res, next) => next(),
    optional: (_req, _res, next) => next(),
    role: () => (_req, _res, next) => next(),
  },
  views: { note: () => undefined },
  adCounting: { seen: () => undefined, clicked: () => undefined },
  allowances: unlimited,
  internalToken: 'x'.repeat(32),
  publicUrl: 'http://localhost:3000',
  media: { post: nobody },
  audience: { get: nobody },
  payments: { get: nobody },
  identity: { get: nobody },
  moderated: { pool, identity: { post: nobody }, kinds: [] },
});
const server = createServer(app);
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
