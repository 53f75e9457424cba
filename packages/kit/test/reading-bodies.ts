/**
 * A service in a separate process that reads bodies, which the test attacks: `node reading-bodies.ts`. The header
 * `x-sender` names the sender.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServiceApp } from '../src/http/app.ts';
import { largeTextBody } from '../src/http/bodies/large-text.ts';
import { logger } from '../src/observe/logger.ts';

const app = createServiceApp({
  service: 'reading-bodies',
  log: logger('reading-bodies', 'silent'),
  beforeJson: (router) =>
    router.post(
      '/picture',
      (req, _res, next) => {
        req.caller = {
          id: Number(req.get('x-sender')),
          email: '',
          name: '',
          role: 'user',
          sessionId: '',
          isVerified: true,
        };
        next();
      },
      largeTextBody({ field: 'imageUrl', maxBytes: 7_100_000, maxTotalBytes: 14_200_000 }),
    ),
  routes: (router) => {
    router.get('/innocent', (_req, res) => void res.json('fine'));
    router.post(['/picture', '/usual'], (req, res) => {
      const { imageUrl } = req.body as { imageUrl?: string };
      res.json({ keys: Object.keys(req.body as object).length, length: imageUrl?.length ?? 0 });
    });
  },
});
const server = createServer(app).listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
