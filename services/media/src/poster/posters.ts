import { setTimeout as pause } from 'node:timers/promises';
import { posterUrl, type PictureSize, type PosterLook } from '@beltway/contracts/media/images';
import type { Objects } from '@beltway/kit/objects';
import { notFound } from '@beltway/kit/problems';
import type { Db } from '../db.ts';
import { singleFlight } from '@beltway/kit/single-flight';
import type { ImageWorkerPool } from '../workers/pool.ts';

export type Found = { body: Buffer } | { movedTo: string };

export interface Posters {
  /**
   * Draws a poster on its first request. If the event has changed since, returns `movedTo`. Throws 404 for an unknown
   * event.
   */
  find(eventId: number, version: string, size: PictureSize, look?: PosterLook): Promise<Found>;
}

interface Deps {
  db: Db;
  objects: Objects;
  workers: ImageWorkerPool;
  /** How long a request waits for the message about its event. */
  maxWaitMs?: number;
}

const LOOK_EVERY_MS = 150;
/**
 * Maximum of concurrent requests that wait for the message about their event. Further requests get an immediate
 * response.
 */
const MAX_WAITING = 50;

const keyOf = (eventId: number, version: string, size: PictureSize, look: PosterLook) =>
  `posters/${eventId % 100}/${eventId}-${version}${look === 'plain' ? '-plain' : ''}${size === 'large' ? '' : `-${size}`}.webp`;

export function openPosters({ db, objects, workers, maxWaitMs = 2_000 }: Deps): Posters {
  const once = singleFlight<Buffer>();
  let waiting = 0;

  const factsOf = async (eventId: number) => (await db()).poster.findUnique({ where: { eventId } });

  /** Waits for the message about the event, because browsers request the poster right after the event is created. */
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
      // Draws only the event's current look. Otherwise, requests could make us draw more posters than there are events.
      if (facts.version !== version) return { movedTo: posterUrl(facts, size, look) };

      const body = await once(key, async () => {
        // A concurrent request may have drawn the poster while this request read the facts.
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
