import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RequestHandler } from 'express';
import { Role } from '@beltway/contracts/common';
import { createServiceApp } from '@beltway/kit/app';
import { logger } from '@beltway/kit/logger';
import { openPool } from '@beltway/kit/postgres';
import { openReportPool } from '../../services/ticketing/src/customer/pool.ts';
import { customerRoutes } from '../../services/ticketing/src/customer/routes.ts';

/** The customers' own routes in a process of their own, without bus and sign-in: who asks is what `x-as` says, "7 business". */
const url = process.argv[2]!;
const log = logger('ticketing', 'silent');
const signedIn: RequestHandler = (req, _res, next) => {
  const [id, role] = (req.get('x-as') ?? '').split(' ');
  req.caller = { id: Number(id), role: Role.parse(role), email: '', name: '', sessionId: '', isVerified: true };
  next();
};
const nobody = () => Promise.reject(new Error('nobody signs in here'));
const app = createServiceApp({
  service: 'ticketing',
  log,
  routes: (routed) =>
    routed.use(
      customerRoutes(
        {
          pool: openPool(url, { log }),
          reportPool: openReportPool(url, log),
          clock: () => new Date(),
          auth: {
            ...{ verify: nobody, identify: nobody, optional: signedIn, signedIn },
            ...{ role: () => signedIn, ready: () => true, onEnded: () => undefined, stop: async () => undefined },
          },
        },
        'x'.repeat(32),
      ),
    ),
});
const server = createServer(app);
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
