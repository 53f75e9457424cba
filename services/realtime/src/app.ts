import type { Server } from 'node:http';
import type { Express } from 'express';
import type { Pool } from 'pg';
import { createServiceApp } from '@beltway/kit/app';
import type { Authenticator } from '@beltway/kit/auth';
import type { Bus } from '@beltway/kit/bus';
import type { Checks } from '@beltway/kit/health';
import { instanceId } from '@beltway/kit/instance-id';
import type { InternalClient } from '@beltway/kit/internal';
import type { Logger } from '@beltway/kit/logger';
import type { Redis } from '@beltway/kit/redis';
import type { Secrets } from '@beltway/kit/secrets';
import { personRoutes } from '@beltway/kit/service/people';
import { startConsumers } from './consumers.ts';
import { fanOut } from './fan-out.ts';
import { startNotifications } from './notifications/notifications.ts';
import { personPart } from './notifications/person.ts';
import { letFollow, tellAccounts } from './notifications/rooms.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { countTogether } from './presence/counts.ts';
import { letLook, tellLookers } from './presence/looking.ts';
import { presence } from './presence/presence.ts';
import { attachSockets, closeSockets, openSockets, type RealtimeServer } from './sockets.ts';
import { RECENT_MS, coalesce } from './stock/coalesce.ts';
import { changedSince } from './stock/stock.ts';
import { letWatch, tellWatchers } from './stock/watching.ts';

export interface RealtimeDeps {
  log: Logger;
  pool: Pool;
  bus: Bus;
  auth: Pick<Authenticator, 'verify' | 'signedIn'>;
  internalToken: Secrets;
  /** Asked who follows an organiser. */
  catalog: Pick<InternalClient, 'get'>;
  /** Where our pages are served from; others may not connect. */
  publicUrl: string;
  /** Default: the id of this process. */
  instance?: string | undefined;
  checks?: Checks;
  /** Connects the instances. */
  redis?: Redis | undefined;
  connectMs?: number | undefined;
  clock?: () => Date;
}

export interface Realtime {
  /** What is said here to a room is heard by the pages of every instance; `io.local` means those of this one. */
  io: RealtimeServer;
  handler: Express;
  /** Tells all notifications that are due now. */
  ring(): Promise<void>;
  /** Binds the sockets to the server, before it listens. */
  attach(server: Server): void;
  /** Cuts the sockets off, so that they connect elsewhere. */
  drain(): Promise<void>;
  /** Stops hearing the bus. */
  stop(): Promise<void>;
}

export async function createApp({
  log,
  pool,
  bus,
  auth,
  internalToken,
  catalog,
  publicUrl,
  instance = instanceId,
  checks,
  redis,
  connectMs,
  clock = () => new Date(),
}: RealtimeDeps): Promise<Realtime> {
  const io = openSockets({ auth, publicUrl, connectMs, ...(redis && { adapter: await fanOut(redis) }) });
  const stock = coalesce((state) => tellWatchers(io, state));
  const counts = countTogether(redis);
  const looking = presence({ count: counts.count, tell: (watching) => tellLookers(io, watching) });
  io.on('connection', (socket) => {
    letWatch(socket, stock.recent);
    letLook(socket, looking);
    letFollow(socket, auth);
  });
  const tell = (userIds: readonly number[]) => tellAccounts(io, userIds);
  // In this order: what changes while the table is read is heard all the same.
  const consumers = await startConsumers({ bus, pool, log, tell: stock.offer });
  (await changedSince(pool, new Date(Date.now() - RECENT_MS))).forEach(stock.offer);
  const notifications = await startNotifications({ pool, bus, log, catalog, tell, clock });

  return {
    io,
    handler: createServiceApp({
      service: 'realtime',
      instance,
      log,
      ...(checks && { checks }),
      routes: (app) => {
        app.use(notificationRoutes({ pool, auth, tell }));
        app.use(personRoutes({ internalToken, partOf: (userId) => personPart(pool, userId) }));
      },
    }),
    ring: notifications.work,
    attach: (server) => attachSockets(io, server, instance),
    drain: () => closeSockets(io),
    stop: async () => {
      await Promise.all([consumers.stop(), notifications.stop()]);
      stock.stop();
      looking.stop();
      await counts.leave();
    },
  };
}
