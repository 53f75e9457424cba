import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linesOf } from '@beltway/contracts/testing/lines';
import { openStore } from '@beltway/event-store';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import { openAllowances } from '@beltway/kit/allowances';
import { authenticator } from '@beltway/kit/auth';
import { logger } from '@beltway/kit/logger';
import type { Objects } from '@beltway/kit/objects';
import { folderObjects } from '@beltway/kit/objects/folder';
import type { Bus } from '@beltway/kit/bus';
import { openBus } from '@beltway/kit/bus/open';
import { openPool } from '@beltway/kit/postgres';
import { eventually, listen, testDatabase } from '@beltway/kit/testing';
import { testIdentity } from '@beltway/kit/testing-auth';
import { fakeReports } from '@beltway/kit/testing-reports';
import { createApp } from '../src/app.ts';
import { startConsumers } from '../src/consumers.ts';
import { openBroadcasts } from '../src/broadcast/stream.ts';
import { openSeats } from '../src/broadcast/seats.ts';
import { openSigning } from '../src/broadcast/signing.ts';
import { watchBroadcasts } from '../src/broadcast/jobs.ts';
import { lazyDb } from '../src/db.ts';
import { openStoredPictures } from '../src/files/stored-pictures.ts';
import { openStoredVideos } from '../src/files/stored-videos.ts';
import { startSweep } from '../src/files/jobs.ts';
import { openImages } from '../src/image/images.ts';
import type { AskNamed } from '../src/image/kept-images.ts';
import { openItems } from '../src/item/stream.ts';
import { moderatedItems } from '../src/item/moderated.ts';
import { startIngest, type IngestOptions } from '../src/ingest/ingest.ts';
import { toMessages } from '../src/publish.ts';
import { storedBytes } from '../src/upload/stored-bytes.ts';
import { openSpool } from '../src/upload/spool.ts';
import { openUploaders } from '../src/uploader/stream.ts';
import { openFfmpeg, type FfmpegOptions } from '../src/video/ffmpeg.ts';
import { openVideoViews } from '../src/video/views.ts';
import { openWeatherReports } from '../src/weather/weather.ts';
import { openImageWorkers } from '../src/workers/pool.ts';
import type { WorkerPoolOptions } from '@beltway/kit/worker-pool';
import type { ImageWorkerPool } from '../src/workers/pool.ts';

const folder = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

export const INTERNAL_TOKEN = 'i'.repeat(32);

/** Publishes another service's message. Fields that a test does not need get defaults. */
export function hearOf(bus: Bus, type: string, data: object, id: string = randomUUID()): Promise<void> {
  const [service] = type.split('.');
  const whole = {
    ...(service === 'catalog' && {
      ...{ ownerId: 3, title: 'An event', description: 'x', location: 'U Street', imageUrl: null, tags: ['#art'] },
      ...{ eventDate: '2026-11-21T05:00:00.000Z', eventStartTime: '19:00', eventEndTime: null, hasTickets: true },
      ...{ salesEnabled: true, salesStart: null, salesEnd: null, priceCents: 2_500, capacity: 100 },
      ...{ version: 1, refundDeadlineHours: 24 },
    }),
    ...(service === 'ticketing' && { paymentId: 'pi_123456', totalCents: 2_500, amountCents: 2_500, reason: 'asked' }),
    ...(type === 'ticketing.refund-requested' && { requestId: null }),
    ...(type === 'ticketing.ticket-purchased' && { lines: linesOf(1) }),
    ...data,
  };
  const { eventId } = data as { eventId: number };
  const key = `${service === 'catalog' ? 'event' : 'sale'}-${eventId}`;
  const message = { id, type, version: 1, key, occurredAt: new Date().toISOString(), data: whole };
  return bus.publish(`${service}.events`, [{ ...message, correlationId: id, causationId: id }]);
}

/** Identity publishes an admin's decision on reported content. */
export function decided(bus: Bus, kind: 'photo' | 'video', of: number, action: string, decision: number) {
  const id = randomUUID();
  const data = { kind, id: String(of), action, decision, adminId: 1 };
  const message = { id, type: 'identity.content-moderated', version: 1, key: `case-${kind}.${of}`, data };
  const occurredAt = new Date().toISOString();
  return bus.publish('identity.events', [{ ...message, occurredAt, correlationId: id, causationId: id }]);
}

/** The whole service with its own database, bus and folder, and the kit's test double of identity. */
export async function startMedia(
  options: {
    workers?: WorkerPoolOptions;
    objects?: Objects;
    /** The catalog's response about pictures. By default, all pictures are referenced. */
    named?: AskNamed;
    wrapObjects?: (objects: Objects) => Objects;
    clock?: () => Date;
    /** By default ffmpeg is not used, even if this machine has it. */
    ffmpeg?: Partial<FfmpegOptions>;
    ingest?: Pick<IngestOptions, 'host' | 'port' | 'freeBytes'>;
  } = {},
) {
  const log = logger('media-test', 'silent');
  const [database, busDatabase, identity, dataDir] = await Promise.all([
    testDatabase([
      eventStoreMigrations,
      ...['inbox', 'jobs', 'erasures', 'allowances', 'requests', 'moderated'].map((name) =>
        folder(`packages/kit/migrations/${name}`),
      ),
      folder('services/media/prisma/migrations'),
    ]),
    testDatabase([folder('packages/kit/migrations/bus')]),
    testIdentity(),
    mkdtemp(join(tmpdir(), 'beltway-media-')),
  ]);
  const pool = openPool(database.url);
  const bus = await openBus({ BUS_DATABASE_URL: busDatabase.url });
  const auth = await authenticator({ identity: identity.url, internalToken: INTERNAL_TOKEN, bus, log });
  const opened = openImageWorkers(options.workers);
  const made = { pictures: 0, posters: 0, mails: 0, shared: 0, covers: 0 };
  const workers: ImageWorkerPool = {
    ...opened,
    develop: (...job) => (made.pictures++, opened.develop(...job)),
    render: (...job) => (made.posters++, opened.render(...job)),
    forMail: (webp) => (made.mails++, opened.forMail(webp)),
    forSharing: (webp) => (made.shared++, opened.forSharing(webp)),
    cover: (category) => (made.covers++, opened.cover(category)),
  };
  const stored = options.objects ?? folderObjects(dataDir);
  const objects = options.wrapObjects?.(stored) ?? stored;
  const store = openStore({
    url: database.url,
    toMessages,
    warn: (err, message) => log.warn({ err }, message),
  });
  const items = openItems(store);
  const uploaders = openUploaders(store);
  const broadcasts = openBroadcasts(store);
  const signing = await openSigning(pool);
  const watch = watchBroadcasts({ pool, broadcasts, log });
  const views = openVideoViews({ pool, log, clock: () => new Date() });
  const pictures = openStoredPictures({ pool, objects, workers });
  const videoFiles = openStoredVideos({ pool, objects });
  const named: AskNamed = options.named ?? (async (names) => new Set(names));
  const images = openImages({ db: lazyDb(pool), pool, objects, workers, named });
  const uploadsDir = join(dataDir, 'uploads');
  const spool = openSpool(uploadsDir);
  const sweep = startSweep({ pool, images, pictures, videos: videoFiles, spool, log });
  const none = '/nowhere/no-such-program';
  const ffmpeg = openFfmpeg({ ffmpeg: none, ffprobe: none, log, ...options.ffmpeg });
  const ingestFolder = join(dataDir, 'ingest');
  const openIngest = () =>
    startIngest({ ...{ pool, broadcasts, signing, objects, log, folder: ingestFolder }, ...options.ingest! });
  const ingest = options.ingest && (await openIngest());
  const reports = fakeReports('media.moderation');
  reports.joins(bus);
  const moderated = { pool, identity: reports, kinds: moderatedItems({ pool, items, wakeSweep: sweep.wake }) };
  const app = createApp({
    log,
    pool,
    images,
    objects,
    workers,
    items,
    uploaders,
    broadcasts,
    signing,
    seats: openSeats(pool),
    ingest,
    ...(ingest && { liveFolder: ingestFolder }),
    ...(options.clock && { clock: options.clock }),
    views,
    pictures,
    videoFiles,
    spool,
    stored: storedBytes(openAllowances(pool, INTERNAL_TOKEN)),
    ffmpeg,
    wakeSweep: sweep.wake,
    weather: openWeatherReports({ log }),
    auth,
    moderated,
    internalToken: INTERNAL_TOKEN,
    posterWaitMs: 5_000,
  });
  const consumers = await startConsumers({ bus, pool, log, broadcasts, moderated });
  const server = createServer(app);
  const url = await listen(server);
  await eventually(() => auth.ready(), { what: 'the list of revocations' });

  return {
    reports,
    url,
    databaseUrl: database.url,
    pool,
    images,
    items,
    uploaders,
    broadcasts,
    watch,
    views,
    uploadsDir,
    ingest,
    startIngest: openIngest,
    sweep,
    wakeSweep: sweep.wake,
    bus,
    dataDir,
    made,
    get: (path: string, init: RequestInit = {}) => fetch(url + path, { redirect: 'manual', ...init }),
    postInternal: (body: unknown, token = INTERNAL_TOKEN) =>
      fetch(`${url}/internal/images`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-internal-token': token },
        body: JSON.stringify(body),
      }),
    async upload(
      bytes: Uint8Array,
      { field = 'image', type = 'image/jpeg', userId = 7, isVerified = true, address = '203.0.113.1' } = {},
    ) {
      const form = new FormData();
      form.set(field, new Blob([new Uint8Array(bytes)], { type }), 'holiday.jpg');
      const authorization = `Bearer ${await identity.tokenFor({ id: userId, isVerified })}`;
      const headers = { authorization, 'x-forwarded-for': address };
      return fetch(`${url}/api/images`, { method: 'POST', headers, body: form });
    },
    tokenFor: identity.tokenFor,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all(consumers.map((consumer) => consumer.stop()));
      await sweep.stop();
      await watch.stop();
      await views.stop();
      await ingest?.stop();
      await auth.stop();
      workers.close();
      await bus.close();
      await Promise.all([store.close(), pool.end()]);
      await identity.close();
      await Promise.all([database.drop(), busDatabase.drop(), rm(dataDir, { recursive: true, force: true })]);
    },
  };
}

export type Media = Awaited<ReturnType<typeof startMedia>>;
