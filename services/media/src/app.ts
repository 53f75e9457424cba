import type { Express } from 'express';
import type { Pool } from 'pg';
import { WatchedQuery } from '@beltway/contracts/media/broadcast';
import { createServiceApp } from '@beltway/kit/app';
import type { Authenticator } from '@beltway/kit/auth';
import type { Checks } from '@beltway/kit/health';
import { internalOnly } from '@beltway/kit/internal';
import type { Logger } from '@beltway/kit/logger';
import type { Objects } from '@beltway/kit/objects';
import type { Secrets } from '@beltway/kit/secrets';
import { jobRoutes } from '@beltway/kit/service/jobs';
import { contentRoutes, type ModeratedDeps } from '@beltway/kit/service/moderated';
import { personRoutes } from '@beltway/kit/service/people';
import type { Broadcasts } from './broadcast/stream.ts';
import { recordingRoutes } from './broadcast/recordings.ts';
import { broadcastRoutes } from './broadcast/routes.ts';
import { viewersOf, type Seats } from './broadcast/seats.ts';
import { segmentRoutes } from './broadcast/segments.ts';
import type { Signing } from './broadcast/signing.ts';
import { lazyDb } from './db.ts';
import type { StoredPictures } from './files/stored-pictures.ts';
import type { StoredVideos } from './files/stored-videos.ts';
import type { Images } from './image/images.ts';
import { imageRoutes, uploadRoutes } from './image/routes.ts';
import type { Ingest } from './ingest/ingest.ts';
import type { Items } from './item/stream.ts';
import { whipRoutes } from './ingest/whip.ts';
import { openDerived } from './mail-picture/derived.ts';
import { mailPictureRoutes } from './mail-picture/routes.ts';
import { personPart } from './person.ts';
import { photoRoutes, photoUploadRoutes } from './photo/routes.ts';
import { openPosters } from './poster/posters.ts';
import { posterRoutes } from './poster/routes.ts';
import { uploaderRoutes } from './uploader/routes.ts';
import type { Uploaders } from './uploader/stream.ts';
import type { StoredBytes } from './upload/stored-bytes.ts';
import type { Spool } from './upload/spool.ts';
import type { Ffmpeg } from './video/ffmpeg.ts';
import { videoRoutes, videoUploadRoutes } from './video/routes.ts';
import type { VideoViews } from './video/views.ts';
import { weatherRoutes } from './weather/routes.ts';
import type { WeatherReports } from './weather/weather.ts';
import type { ImageWorkerPool } from './workers/pool.ts';

export interface MediaDeps {
  log: Logger;
  pool: Pool;
  images: Images;
  objects: Objects;
  workers: ImageWorkerPool;
  weather: WeatherReports;
  auth: Pick<Authenticator, 'signedIn' | 'role' | 'optional'>;
  moderated: ModeratedDeps;
  items: Items;
  uploaders: Uploaders;
  broadcasts: Broadcasts;
  seats: Seats;
  signing: Signing;
  /** Receives live signals; undefined if no media server runs here. */
  ingest?: Pick<Ingest, 'wake' | 'openCamera' | 'closeCamera'> | undefined;
  views: VideoViews;
  /** The folder of live segments; undefined if none are written here. */
  liveFolder?: string | undefined;
  pictures: StoredPictures;
  videoFiles: StoredVideos;
  /** The folder of uploads in progress. */
  spool: Spool;
  stored: StoredBytes;
  ffmpeg: Ffmpeg;
  /** Called when files may no longer be referenced. */
  wakeSweep: () => void;
  clock?: () => Date;
  internalToken: Secrets;
  checks?: Checks;
  posterWaitMs?: number;
}

export function createApp({
  log,
  pool,
  images,
  objects,
  workers,
  weather,
  auth,
  moderated,
  items,
  uploaders,
  broadcasts,
  seats,
  signing,
  ingest,
  views,
  liveFolder,
  pictures,
  videoFiles,
  spool,
  stored,
  ffmpeg,
  wakeSweep,
  clock = () => new Date(),
  internalToken,
  checks,
  posterWaitMs,
}: MediaDeps): Express {
  const db = lazyDb(pool);
  const shared = { pool, items, moderated, pictures, stored, wakeSweep, auth };
  const gallery = { ...shared, clock };
  const topPicks = { ...shared, files: videoFiles, views, workers, spool, ffmpeg };
  const posters = openPosters({
    db,
    objects,
    workers,
    ...(posterWaitMs !== undefined && { maxWaitMs: posterWaitMs }),
  });

  const derived = openDerived({ images, posters, objects, workers });

  return createServiceApp({
    service: 'media',
    log,
    ...(checks && { checks }),
    beforeJson: (app) =>
      app.use(
        uploadRoutes({ images, stored, signedIn: auth.signedIn, internal: internalOnly(internalToken) }),
        photoUploadRoutes(gallery),
        videoUploadRoutes(topPicks),
        whipRoutes({ pool, auth, clock, ingest }),
      ),
    routes: (app) => {
      app.use(weatherRoutes(weather));
      app.use(imageRoutes(images, derived, internalOnly(internalToken)));
      app.use(posterRoutes(posters, derived));
      app.use(uploaderRoutes({ pool, uploaders, auth, clock }));
      app.use(photoRoutes(gallery));
      app.use(
        broadcastRoutes({
          ...{ pool, broadcasts, seats, signing, auth, clock, internalToken },
          wakeIngest: () => ingest?.wake(),
        }),
      );
      app.use(videoRoutes(topPicks));
      app.use(contentRoutes(moderated, internalToken));
      app.use(segmentRoutes({ pool, seats, signing, folder: liveFolder }));
      app.use(recordingRoutes({ pool, signing, objects, clock }));
      app.use(jobRoutes({ pool, internalToken }));
      app.use(personRoutes({ internalToken, partOf: (userId) => personPart(pool, userId) }));
      app.get('/internal/viewers', internalOnly(internalToken), async (req, res) => {
        const watched = await viewersOf(pool, WatchedQuery.parse(req.query).events);
        res.json({ viewers: [...watched].map(([eventId, viewers]) => ({ eventId, viewers })) });
      });
      app.use('/internal/mail-picture', internalOnly(internalToken));
      app.use(mailPictureRoutes(derived));
    },
  });
}
