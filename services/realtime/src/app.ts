import type { Server } from 'node:http';
import type { Express } from 'express';
import type { Pool } from 'pg';
import type { Store } from '@beltway/event-store';
import { createServiceApp } from '@beltway/kit/app';
import type { Authenticator } from '@beltway/kit/auth';
import type { Bus } from '@beltway/kit/bus';
import type { Checks } from '@beltway/kit/health';
import { instanceId } from '@beltway/kit/instance-id';
import type { InternalClient } from '@beltway/kit/internal';
import type { Logger } from '@beltway/kit/logger';
import type { Mailer } from '@beltway/kit/mail';
import { startPolling } from '@beltway/kit/polling';
import type { Redis } from '@beltway/kit/redis';
import type { Secrets } from '@beltway/kit/secrets';
import { jobRoutes } from '@beltway/kit/service/jobs';
import { contentRoutes } from '@beltway/kit/service/moderated';
import { personRoutes } from '@beltway/kit/service/people';
import { openChat } from './chat/chat.ts';
import { databaseClock } from './chat/database-clock.ts';
import { openGuests } from './chat/guests.ts';
import { sendToRoom } from './chat/hub/delivery.ts';
import { prepare } from './chat/hub/frames.ts';
import { closeHub, openHub } from './chat/hub/hub.ts';
import { publishBlockChange } from './chat/hub/visibility.ts';
import { chatLimits } from './chat/limits.ts';
import { onlinePeople } from './chat/online.ts';
import { openRooms } from './chat/stream.ts';
import { chatRoutes } from './chat/routes.ts';
import { moderatedMessages } from './chat/moderated.ts';
import { attachChatHandlers } from './chat/socket.ts';
import { followAccounts } from './community/people.ts';
import { blockRoutes } from './community/routes.ts';
import { startCommentCounts } from './contributions/comment-counts.ts';
import { openEvents } from './contributions/events.ts';
import { moderatedContributions } from './contributions/moderated.ts';
import { contributionRoutes } from './contributions/routes.ts';
import { openTurns } from './contributions/turns.ts';
import type { Contributing } from './contributions/write.ts';
import { startConsumers } from './consumers.ts';
import { fanOut } from './fan-out.ts';
import { startNotifications } from './notifications/notifications.ts';
import type { PushSender } from './notifications/push-sender.ts';
import { letFollow, tellAccounts } from './notifications/rooms.ts';
import { unreadOf } from './notifications/queries.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { erasePerson, personPart } from './person.ts';
import { attachSockets, closeSockets, openSockets, type RealtimeServer } from './sockets.ts';
import { RECENT_MS, coalesce } from './stock/coalesce.ts';
import { changedSince } from './stock/stock.ts';
import { letWatch, tellWatchers } from './stock/watching.ts';
import { endedTokens } from './token-end.ts';

export interface RealtimeDeps {
  log: Logger;
  pool: Pool;
  /** The log of chat rooms. */
  store: Store;
  bus: Bus;
  auth: Pick<Authenticator, 'verify' | 'signedIn' | 'optional' | 'onEnded'>;
  internalToken: Secrets;
  /** Source of an organizer's followers, and of the accounts that an account follows. */
  catalog: Pick<InternalClient, 'get'>;
  /** Keeps pictures that posts refer to. */
  media: Pick<InternalClient, 'post'>;
  /** Source of accounts' email addresses. Also has the queue of reports. */
  identity: Pick<InternalClient, 'get' | 'post'>;
  mailer: Pick<Mailer, 'send'>;
  /** Undefined if nothing is pushed to browsers. */
  push?: PushSender | undefined;
  /** Support email address in mails. */
  support?: string | undefined;
  /** The origin of our pages. Sockets from other origins are refused. */
  publicUrl: string;
  /** By default the id of this process. */
  instance?: string | undefined;
  checks?: Checks;
  /** Connects the instances. */
  redis?: Redis | undefined;
  connectMs?: number | undefined;
  /** Additional routes. */
  mount?: (app: Express) => void;
  clock?: () => Date;
  /** Disables limits; only for benchmarks on one's own machine. */
  isUnlimited?: boolean;
}

const HOUR_MS = 3_600_000;

export interface Realtime {
  /** `io` emits to the pages of every instance; `io.local` emits only to the pages of this instance. */
  io: RealtimeServer;
  handler: Express;
  /** Sends all notifications that are due now. */
  ring(): Promise<void>;
  /** Sends all mails that are due now. */
  sendMails(): Promise<void>;
  /** Sends all pushes that are due now. */
  sendPushes(): Promise<void>;
  /** Binds the sockets to the server, before it listens. */
  attach(server: Server): void;
  /** Disconnects all sockets, so that they reconnect elsewhere. */
  drain(): Promise<void>;
  /** Erases realtime's data of an account. */
  erase(userId: number): Promise<void>;
  /** Stops consuming from the bus. */
  stop(): Promise<void>;
}

export async function createApp({
  log,
  pool,
  store,
  bus,
  auth,
  internalToken,
  catalog,
  media,
  identity,
  mailer,
  push,
  support,
  publicUrl,
  instance = instanceId,
  checks,
  redis,
  connectMs,
  mount,
  clock = () => new Date(),
  isUnlimited = false,
}: RealtimeDeps): Promise<Realtime> {
  const io = openSockets({ auth, publicUrl, connectMs, ...(redis && { adapter: await fanOut(redis) }) });
  const stock = coalesce((state) => tellWatchers(io, state));
  const rooms = openRooms(store);
  const chatClock = await databaseClock(pool);
  const hub = openHub({ pool, log, redis, instance, clock: chatClock });
  const guests = await openGuests(pool);
  const online = onlinePeople(redis, instance, (room, count) =>
    sendToRoom(hub, room, prepare('online', { room, online: count })),
  );
  const limits = chatLimits(redis, isUnlimited);
  const chat = openChat({ pool, rooms, hub, guests, limits, clock: chatClock });
  const sweeping = startPolling(log, 'forget guests', HOUR_MS, async () => {
    await guests.sweep();
    return false;
  });
  const ended = endedTokens(auth);
  io.on('connection', (socket) => {
    letWatch(socket, stock.recent);
    letFollow(socket, { auth, ended, unreadOf: (userId) => unreadOf(pool, userId) });
    attachChatHandlers(socket, { chat, hub, guests, online, auth, limits, log });
    // The account's HTTP calls are refused when its token is verified; this call disconnects the sockets of a suspended
    // account.
    ended.watch(
      socket,
      () => socket.data.caller,
      () => undefined,
    );
    if (socket.data.isExpired) socket.emit('token-expired');
  });
  const tell = (userIds: readonly number[]) => tellAccounts(io, userIds);
  const counts = startCommentCounts({ pool, log, bus });
  const contributing: Contributing = {
    pool,
    turns: openTurns(),
    events: openEvents(pool, clock),
    media,
    isUnlimited,
    notified: (userIds) => notifications.notified(userIds),
    wakeNotifications: () => notifications.wake(),
    wakeCounts: counts.wake,
    clock,
  };
  const moderated = { pool, identity, kinds: [...moderatedContributions(contributing), moderatedMessages(chat)] };
  // The consumers start first, so that no change is lost while the table is read.
  const consumers = await startConsumers({
    ...{ bus, pool, log, chat, moderated, tell: stock.offer },
    tellLivestream: ({ eventId, status }) => void io.local.emit('catalog.livestream-changed', { eventId, status }),
  });
  const accounts = await followAccounts({ pool, bus, log });
  (await changedSince(pool, new Date(Date.now() - RECENT_MS))).forEach(stock.offer);
  const notifications = await startNotifications({
    ...{ pool, bus, log, catalog, identity, mailer, push, internalToken, publicUrl, support, tell, clock },
  });

  return {
    io,
    handler: createServiceApp({
      service: 'realtime',
      instance,
      log,
      ...(checks && { checks }),
      routes: (app) => {
        mount?.(app);
        app.use(notificationRoutes({ pool, auth, internalToken, push, tell }));
        const blocksChanged = (userId: number, otherId: number) => publishBlockChange(hub.visibility, userId, otherId);
        app.use(blockRoutes({ pool, auth, internalToken, blocksChanged, clock }));
        app.use(contributionRoutes({ ...contributing, auth, internalToken, catalog, moderated }));
        app.use(chatRoutes({ pool, chat, hub, guests, online, auth, moderated }));
        app.use(contentRoutes(moderated, internalToken));
        app.use(jobRoutes({ pool, internalToken }));
        app.use(personRoutes({ internalToken, partOf: (userId) => personPart(pool, userId) }));
      },
    }),
    ring: notifications.work,
    sendMails: notifications.sendMails,
    sendPushes: notifications.sendPushes,
    attach: (server) => attachSockets(io, server, instance),
    drain: () => closeSockets(io),
    erase: (userId) => erasePerson({ pool, chats: { pool, rooms, hub, clock: chatClock }, contributing }, userId),
    stop: async () => {
      await Promise.all([consumers.stop(), accounts.stop(), notifications.stop(), sweeping.stop(), counts.stop()]);
      await rooms.drain();
      await closeHub(hub);
      await online.stop();
      stock.stop();
    },
  };
}
