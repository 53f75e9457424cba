import { setTimeout as pause } from 'node:timers/promises';
import { posterUrl, type PictureSize, type PosterLook } from '@beltway/contracts/media/images';
import type { Objects } from '@beltway/kit/objects';
import { notFound } from '@beltway/kit/problems';
import type { Db } from '../db.ts';
import { singleFlight } from '@beltway/kit/single-flight';
import type { ImageWorkerPool } from '../workers/pool.ts';

export type Found = { body: Buffer } | { movedTo: string };

export interface Posters {
  /** Draws what was never asked for before. `movedTo` when the event looks otherwise by now. Throws 404 for an event nobody told of. */
  find(eventId: number, version: string, size: PictureSize, look?: PosterLook): Promise<Found>;
}

interface Deps {
  db: Db;
  objects: Objects;
  workers: ImageWorkerPool;
  /** How long a poster may be asked for before its event is heard of. */
  maxWaitMs?: number;
}

const LOOK_EVERY_MS = 150;
/** Requests that may wait for their event at the same time; the rest is answered at once. */
const MAX_WAITING = 50;

const keyOf = (eventId: number, version: string, size: PictureSize, look: PosterLook) =>
  `posters/${eventId % 100}/${eventId}-${version}${look === 'plain' ? '-plain' : ''}${size === 'large' ? '' : `-${size}`}.webp`;

export function openPosters({ db, objects, workers, maxWaitMs = 2_000 }: Deps): Posters {
  const once = singleFlight<Buffer>();
  let waiting = 0;

  const factsOf = async (eventId: number) => (await db()).poster.findUnique({ where: { eventId } });

  /** The page may be quicker than the bus: it asks right after the event was made. */
  async function factsWith(eventId: number, version: string) {
    const deadline = Date.now() + maxWaitMs;
    let facts = await factsOf(eventId);
    if (facts?.version === version || waiting >= MAX_WAITING) return facts;
    waiting++;
    try {
      while (facts?.version !== version && Date.now() < deadline) {
        await pause(LOOK_EVERY_MS);
        facts = await factsOf(eventId);
      }
      return facts;
    } finally {
      waiting--;
    }
  }

  return {
    async find(eventId, version, size, look = 'titled') {
      const key = keyOf(eventId, version, size, look);
      const kept = await objects.get(key);
      if (kept) return { body: kept };

      const facts = await factsWith(eventId, version);
      if (!facts) throw notFound('poster');
      // Only what the event looks like now is drawn, so nobody can make us draw more posters than there are events.
      if (facts.version !== version) return { movedTo: posterUrl(facts, size, look) };

      const body = await once(key, async () => {
        // Another request may have drawn it while this one asked for the facts.
        const meanwhile = await objects.get(key);
        if (meanwhile) return meanwhile;
        const drawn = await workers.render(facts, size, look);
        await objects.put(key, drawn);
        return drawn;
      });
      return { body };
    },
  };
}
