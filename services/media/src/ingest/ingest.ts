import type { NotTaken } from '../broadcast/decider.ts';
import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BROADCAST } from '@beltway/contracts/media/broadcast';
import { Rejected } from '@beltway/event-store';
import { backoff } from '@beltway/kit/backoff';
import { anyOf, excluded } from '@beltway/kit/kysely';
import type { Logger } from '@beltway/kit/logger';
import type { Objects } from '@beltway/kit/objects';
import { startPolling } from '@beltway/kit/polling';
import { HttpProblem } from '@beltway/kit/problems';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { kysely } from '../db.ts';
import type { Broadcasts } from '../broadcast/stream.ts';
import type { Signing } from '../broadcast/signing.ts';
import { signalHours, termsOf } from '../broadcast/terms.ts';
import { listenToCallbacks, type Call, type Verdict } from './callbacks.ts';
import { openCameras } from './cameras.ts';
import { startNginx, type Nginx } from './nginx.ts';
import { findPrograms } from './program.ts';
import { startRecorder } from './recorder.ts';

export interface IngestOptions {
  pool: Pool;
  broadcasts: Broadcasts;
  signing: Signing;
  objects: Objects;
  log: Logger;
  clock?: () => Date;
  /** The folder of segments and unfinished recordings. */
  folder: string;
  /** The IP address at which encoders connect. */
  host: string;
  port: number;
  /** Free bytes on the folder's disk; default: from the system. */
  freeBytes?: () => Promise<number>;
  /** The URL shown to organizers; by default derived from host and port. */
  publicUrl?: string | undefined;
  /** Whether browser cameras are accepted, if ffmpeg is installed; default: yes. */
  takesCameras?: boolean;
}

/** The configured host and port for signals; undefined if signals are not received. */
export function ingestAddress({
  INGEST_ADDRESS: address,
  INGEST_URL: publicUrl,
  INGEST_CAMERAS: cameras,
  DATA_DIR: folder = tmpdir(),
}: {
  INGEST_ADDRESS?: string | undefined;
  INGEST_URL?: string | undefined;
  INGEST_CAMERAS?: 'on' | 'off';
  DATA_DIR?: string | undefined;
}): Pick<IngestOptions, 'host' | 'port' | 'publicUrl' | 'folder' | 'takesCameras'> | undefined {
  const [host, port] = address?.split(':') ?? [];
  if (host === undefined || port === undefined) return undefined;
  return {
    ...{ host, port: Number(port), publicUrl, takesCameras: cameras !== 'off' },
    folder: join(folder, 'ingest', port),
  };
}

export interface Ingest {
  /** Checks immediately whether a signal has to be disconnected. */
  wake(): void;
  /** Connects a browser's camera. Throws 503 if no camera can be accepted. */
  openCamera(eventId: number, offer: string): Promise<{ id: string; answer: string }>;
  closeCamera(eventId: number, id: string): void;
  /** The running media server. */
  server(): Pick<Nginx, 'pid'> | undefined;
  stop(): Promise<void>;
}

interface Signal {
  eventId: number;
  session: string;
  /** The id of the signal's connection to nginx. */
  clientId: string;
}

const TICK_MS = 1_000;
/** Maximum of concurrent signals. */
const MAX_SIGNALS = 50;
/**
 * With less free disk space, signals are refused (`MIN_FREE`) or not recorded (`MIN_FREE_TO_RECORD`). The latter is
 * room for the two longest recordings and their MP4s.
 */
const MIN_FREE = 1e9;
const MIN_FREE_TO_RECORD = 20e9;
/** If another server has the port, ours cannot bind it and retries. */
const pauseAfter = backoff(1_000, 30_000);
const KEY = BROADCAST.keyPattern;

/**
 * Receives signals with its own media server (nginx with the RTMP module). For each signal, asks the broadcast whether
 * to accept the signal, and reports the signal's end. Every second, reports the present signals and disconnects signals
 * that the broadcast no longer accepts.
 */
export async function startIngest(options: IngestOptions): Promise<Ingest> {
  const { pool, broadcasts, signing, log, clock = () => new Date(), host, port, objects } = options;
  const { folder, takesCameras = true } = options;
  const freeBytes = options.freeBytes ?? (() => statfs(folder).then(({ bavail, bsize }) => bavail * bsize));
  const id = randomUUID();
  const programs = await findPrograms();
  const rtmpUrl = options.publicUrl ?? `rtmp://${host === '0.0.0.0' ? 'localhost' : host}:${port}/live`;
  /** The current signals, by session. */
  const signals = new Map<string, Signal>();
  let nginx: Nginx | undefined;
  let stopped = false;
  let failures = 0;
  let since = 0;
  let retry: NodeJS.Timeout | undefined;

  /** Records that these signals are present. The statement's text is the same for any number of signals. */
  const seen = (there: readonly Signal[]) => {
    const [sessions, events] = [there.map(({ session }) => session), there.map(({ eventId }) => eventId)];
    return kysely(pool)
      .insertInto('broadcastSignals')
      .columns(['session', 'eventId', 'seenAt'])
      .expression(sql`select s, e, now() from unnest(${sessions}::text[], ${events}::int[]) n (s, e)`)
      .onConflict((conflict) => conflict.column('session').doUpdateSet((eb) => excluded(eb, ['seenAt'])))
      .execute();
  };

  const endSignal = async ({ eventId, session }: Signal) => {
    signals.delete(session);
    await broadcasts.handle(eventId, { type: 'EndSignal', eventId, session }, { commandId: `${session}\0end` });
  };

  /** Whether the holder of this key may send now, and where nginx forwards the signal. */
  async function admit(key: string, clientId: string): Promise<Verdict> {
    const ofCamera = cameras.eventOf(key);
    const eventId = ofCamera ?? Number(KEY.test(key) ? key.split('-', 1)[0] : 0);
    const terms = eventId > 0 && eventId <= 2_147_483_647 ? await termsOf(pool, eventId) : undefined;
    if (!terms || signals.size >= MAX_SIGNALS) return false;
    const free = await freeBytes();
    if (free < MIN_FREE) {
      log.error({ free }, 'a signal was refused: the disk is full');
      return false;
    }
    const signal: Signal = { eventId, session: randomUUID(), clientId };
    const { session } = signal;
    // Recorded before the broadcast becomes live, so that no check considers the new signal lost.
    await seen([signal]);
    const source = ofCamera === undefined ? 'rtmp' : 'whip';
    const keyDigest = ofCamera === undefined ? signing.digest(key) : null;
    const begin = { type: 'BeginSignal', eventId, source, session, keyDigest } as const;
    try {
      await broadcasts.handle(eventId, { ...begin, ...signalHours(terms, clock()) }, { commandId: session });
    } catch (error) {
      await kysely(pool).deleteFrom('broadcastSignals').where('session', '=', session).execute();
      if (!(error instanceof Rejected)) throw error;
      log.info({ eventId, code: error.code }, 'a signal was refused');
      return false;
    }
    // Disconnects another signal of this event, which the new signal replaces, before the new signal is accepted.
    for (const other of signals.values())
      if (other.eventId === eventId) {
        signals.delete(other.session);
        await nginx?.drop(other.clientId);
      }
    signals.set(session, signal);
    const isKept = terms.recordingEnabled && programs.hasFfmpeg && free >= MIN_FREE_TO_RECORD;
    if (terms.recordingEnabled && !isKept) log.error({ eventId, free }, 'a live stream is not recorded');
    if (isKept) await recorder.expect(session, eventId);
    return `rtmp://127.0.0.1:${port}/${isKept ? 'kept' : 'hls'}/${session}`;
  }

  async function answer({ call, app, name, clientId }: Call): Promise<Verdict> {
    // The signal is forwarded from `live`, within this machine.
    if (call === 'publish' && app !== 'live') return signals.has(name);
    if (call === 'publish') return admit(name, clientId);
    if (call === 'publish_done' && app === 'live')
      for (const signal of signals.values()) if (signal.clientId === clientId) await endSignal(signal);
    return true;
  }

  const cameras = openCameras(log);
  const callbacks = await listenToCallbacks(log, answer);

  function startLater(why: unknown): void {
    failures = performance.now() - since > 60_000 ? 1 : failures + 1;
    // After a recent release of the port, or after a slow start, the next try succeeds. The first failure is therefore
    // no warning.
    log[failures > 1 ? 'warn' : 'info']({ why, port }, 'the media server is not running; restarting it');
    clearTimeout(retry);
    if (!stopped) retry = setTimeout(() => void start(), pauseAfter(failures));
  }

  async function start(): Promise<void> {
    if (stopped || !programs.nginx) return;
    since = performance.now();
    try {
      nginx = await startNginx({
        ...{ folder, host, port, log, module: programs.nginx.module, callbackUrl: callbacks.url },
        onExit(why) {
          if (nginx === undefined || stopped) return;
          nginx = undefined;
          poller.wake();
          for (const signal of signals.values())
            endSignal(signal).catch((err: unknown) => log.warn({ err }, 'the end of a lost signal was not recorded'));
          startLater(why);
        },
      });
    } catch (error) {
      // Another instance may have the port and receive the signals.
      startLater(error);
    }
  }

  const recorder = startRecorder({
    pool,
    broadcasts,
    objects,
    log,
    folder,
    isOurs: () => nginx !== undefined,
    isActive: (session) => signals.has(session),
  });

  /** Whether the media server has run long enough to be considered stable. */
  const isUp = () => nginx !== undefined && performance.now() - since > 500;

  const hasCameras = programs.hasFfmpeg && takesCameras;
  /** Why some signals are refused now; null if all are accepted. */
  const reasonNow = (): NotTaken | null => {
    if (!programs.nginx) return 'ingest-unavailable.not-installed';
    if (!isUp()) return 'ingest-unavailable.starting';
    if (!programs.hasFfmpeg) return 'ingest-unavailable.no-ffmpeg';
    return takesCameras ? null : 'ingest-unavailable.no-cameras';
  };

  async function tick(): Promise<boolean> {
    const there = [...signals.values()];
    if (there.length > 0) {
      const sessions = there.map(({ session }) => session);
      await seen(there);
      const rows = await kysely(pool)
        .selectFrom('broadcasts')
        .select('session')
        .where('session', '=', anyOf(sessions))
        .where('status', '=', sql.lit('live'))
        .where('isReceiving', '=', true)
        .execute();
      const wanted = new Set(rows.map(({ session }) => session));
      for (const signal of there)
        if (!wanted.has(signal.session)) {
          signals.delete(signal.session);
          await nginx?.drop(signal.clientId);
        }
    }
    const state = { rtmpUrl: isUp() ? rtmpUrl : null, hasWhip: isUp() && hasCameras, reason: reasonNow() };
    await kysely(pool)
      .insertInto('broadcastIngests')
      .values(({ fn }) => ({ id, ...state, seenAt: fn<Date>('now') }))
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => excluded(eb, ['rtmpUrl', 'hasWhip', 'reason', 'seenAt'])),
      )
      .execute();
    return false;
  }

  const poller = startPolling(log, 'watch signals', TICK_MS, tick);
  await start();
  poller.wake();

  return {
    wake: poller.wake,
    async openCamera(eventId, offer) {
      if (!isUp() || !hasCameras) throw new HttpProblem(503, reasonNow() ?? 'ingest-unavailable.starting');
      return cameras.open(eventId, offer, (token) => `rtmp://127.0.0.1:${port}/live/${token}`);
    },
    closeCamera: (eventId, cameraId) => cameras.close(eventId, cameraId),
    server: () => nginx,
    async stop() {
      stopped = true;
      clearTimeout(retry);
      await poller.stop();
      cameras.stop();
      await nginx?.stop();
      callbacks.close();
      await recorder.stop();
      for (const signal of [...signals.values()]) await endSignal(signal).catch(() => undefined);
      await kysely(pool)
        .deleteFrom('broadcastIngests')
        .where('id', '=', id)
        .execute()
        .catch(() => undefined);
    },
  };
}
