import { createReadStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ago } from '@beltway/kit/kysely';
import type { Logger } from '@beltway/kit/logger';
import type { Objects } from '@beltway/kit/objects';
import { startPolling, type Poller } from '@beltway/kit/polling';
import type { Pool } from 'pg';
import { kysely } from '../db.ts';
import type { Broadcasts } from '../broadcast/stream.ts';
import { recordingKey } from '../broadcast/recordings.ts';
import { runProgram } from './program.ts';

const LOOK_MS = 1_000;
/** Timeout for converting a recording to an MP4. */
const MAKING_MS = 30 * 60_000;
/** A file is complete after this time without a write. */
const QUIET_MS = 1_500;
/** A signal that has no file this long after its end was not recorded. */
const EMPTY_MS = 3_000;
/** Smaller files contain a header but no picture. */
const MIN_BYTES = 2_000;
const MAX_ATTEMPTS = 5;
const SESSION = /^[0-9a-f-]{36}$/;

export interface RecorderOptions {
  pool: Pool;
  broadcasts: Broadcasts;
  objects: Objects;
  log: Logger;
  folder: string;
  /**
   * Whether this process runs the media server that writes to the folder. Other processes convert the files of their
   * own folders.
   */
  isOurs: () => boolean;
  /** Whether the session's signal is still present. */
  isActive: (session: string) => boolean;
}

export interface Recorder extends Poller {
  /** Announces that this signal is recorded from now on. */
  expect(session: string, eventId: number): Promise<void>;
}

/**
 * Converts nginx's recordings to MP4s and stores the MP4s. A recording stays in the folder until it is stored, so that
 * the next poll repeats work that a crash interrupted.
 */
export function startRecorder({ pool, broadcasts, objects, log, folder, isOurs, isActive }: RecorderOptions): Recorder {
  const recorded = join(folder, 'recorded');
  /** Signals whose recordings are expected, with the time of the signal's end; null while the signal is present. */
  const expected = new Map<string, number | null>();
  const attempts = new Map<string, number>();

  const done = (session: string) =>
    kysely(pool).deleteFrom('broadcastPending').where('session', '=', session).execute();

  async function make(session: string, file: string): Promise<void> {
    const pending = await kysely(pool)
      .selectFrom('broadcastPending')
      .select(['eventId', 'since'])
      .where('session', '=', session)
      .executeTakeFirst();
    if (pending) {
      const { eventId, since } = pending;
      const whole = join(recorded, `${session}.mp4`);
      await runProgram(
        'ffmpeg',
        [
          '-v',
          'error',
          '-nostdin',
          '-y',
          '-protocol_whitelist',
          'file',
          '-f',
          'flv',
          '-i',
          file,
          '-c',
          'copy',
          '-movflags',
          '+faststart',
          whole,
        ],
        MAKING_MS,
      );
      const asked = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', whole];
      const durationMs = Math.round(Number((await runProgram('ffprobe', asked, 60_000)).trim()) * 1_000) || 0;
      const { size: bytes } = await stat(whole);
      await objects.put(recordingKey(session), { stream: createReadStream(whole), size: bytes });
      const kept = { session, startedAt: since.toISOString(), durationMs, bytes };
      await broadcasts.handle(
        eventId,
        { type: 'KeepRecording', eventId, ...kept },
        { commandId: `${session}\0recording` },
      );
      await rm(whole, { force: true });
    }
    await rm(file, { force: true });
    await done(session);
  }

  /** Deletes the pending rows of signals without a file, for example after an immediate disconnect. */
  async function forgetEmpty(names: Set<string>): Promise<void> {
    for (const [session, endedAt] of expected) {
      if (isActive(session)) continue;
      if (endedAt === null) expected.set(session, Date.now());
      else if (Date.now() - endedAt > EMPTY_MS) {
        expected.delete(session);
        if (!names.has(`${session}.flv`)) await done(session);
      }
    }
    // Also deletes old rows whose machine or file no longer exists.
    await kysely(pool)
      .deleteFrom('broadcastPending as p')
      .where('p.since', '<', ago('1 day'))
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom('broadcastSignals as s')
              .select('s.session')
              .whereRef('s.session', '=', 'p.session')
              .where('s.seenAt', '>', ago('1 hour')),
          ),
        ),
      )
      .execute();
  }

  const poller = startPolling(log, 'keep recordings', LOOK_MS, async () => {
    if (!isOurs()) return false;
    const names = await readdir(recorded).catch(() => []);
    await forgetEmpty(new Set(names));
    for (const name of names) {
      const session = name.replace(/\.flv$/, '');
      if (name === session || !SESSION.test(session) || isActive(session)) continue;
      const file = join(recorded, name);
      const { mtimeMs, size } = await stat(file);
      if (Date.now() - mtimeMs < QUIET_MS) continue;
      if (size < MIN_BYTES) {
        await rm(file, { force: true });
        await done(session);
        continue;
      }
      try {
        await make(session, file);
        attempts.delete(session);
      } catch (error) {
        const failed = (attempts.get(session) ?? 0) + 1;
        attempts.set(session, failed);
        log.warn({ err: error, session }, 'a recording could not be stored');
        if (failed < MAX_ATTEMPTS) continue;
        // The renamed file is left for staff to inspect.
        await rename(file, `${file}.failed`);
        await done(session);
      }
    }
    return false;
  });
  return {
    ...poller,
    async expect(session, eventId) {
      expected.set(session, null);
      await kysely(pool)
        .insertInto('broadcastPending')
        .values(({ fn }) => ({ session, eventId, since: fn<Date>('now') }))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  };
}
