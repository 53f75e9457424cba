import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Language } from '@beltway/contracts/common/languages';
import { gauges } from '@beltway/kit/metrics';
import { gate } from '@beltway/kit/overload';
import { openWorkerPool } from '@beltway/kit/worker-pool';
import type { Sold } from './calendar.ts';
import type { PaperParts } from './documents.ts';

/** A drawing job. It contains the language instead of the `Words`, because functions cannot be sent to a process. */
export type PaperJob =
  | ({ kind: 'tickets'; order: Sold; language: Language } & Omit<PaperParts, 'words'>)
  | { kind: 'codes'; texts: string[] };

export type PaperOutcome = { drawn: Buffer[] } | { failed: string };

/** Runs a job. A waiting job is dropped when the signal aborts. */
export type Draw = (job: PaperJob, signal?: AbortSignal) => Promise<Buffer[]>;

export interface Papers {
  /**
   * The tickets of an order as PDF. The PDF is cached until anything on it changes. `reader`: aborts when the client
   * disconnects. Throws 503 if too many readers wait.
   */
  tickets(order: Sold, parts: PaperParts, reader?: AbortSignal): Promise<Buffer>;
  /** QR codes as PNG, in the order of the texts. */
  codes(texts: string[]): Promise<Buffer[]>;
}

/** Maximum number of readers that wait for a PDF. Mails are not limited, so that no mail is refused. */
const MAX_READERS = 32;
/**
 * The size of the cache. A PDF of two tickets takes about 60 kB, so the cache has the PDFs of the last few hundred
 * orders.
 */
const MAX_KEPT_BYTES = 16 * 1_048_576;

interface Flight {
  drawn: Promise<Buffer>;
  /** The number of waiting callers. When the last caller leaves, the drawing is dropped. */
  waiting: number;
  abandoned: AbortController;
}

/** Draws PDFs and QR codes in another process, because the event loop of this process decides holds. */
export function openPapers(draw: Draw, maxKeptBytes = MAX_KEPT_BYTES): Papers {
  const flights = new Map<string, Flight>();
  /** Least recently used first. */
  const kept = new Map<string, Buffer>();
  let keptBytes = 0;
  const readers = gate(MAX_READERS, {
    what: 'too-many-papers',
  });

  function keep(key: string, file: Buffer): void {
    kept.set(key, file);
    keptBytes += file.length;
    for (const [oldest, { length }] of kept) {
      if (keptBytes <= maxKeptBytes) break;
      kept.delete(oldest);
      keptBytes -= length;
    }
  }

  function fly(key: string, job: PaperJob): Flight {
    const abandoned = new AbortController();
    const drawn = draw(job, abandoned.signal)
      .then(([file]) => {
        keep(key, file!);
        return file!;
      })
      .finally(() => flights.get(key) === flight && flights.delete(key));
    const flight: Flight = { drawn, waiting: 0, abandoned };
    // Every waiting caller gets the error. If no caller is left, the error must not become an unhandled rejection.
    drawn.catch(() => undefined);
    flights.set(key, flight);
    return flight;
  }

  async function fileOf(key: string, job: PaperJob, reader?: AbortSignal): Promise<Buffer> {
    const flight = flights.get(key) ?? fly(key, job);
    flight.waiting++;
    let leave = (): void => undefined;
    const left = new Promise<never>((_, reject) => {
      leave = () => {
        if (--flight.waiting === 0) {
          // Removes the drawing before it is dropped, so that the next caller does not join it.
          if (flights.get(key) === flight) flights.delete(key);
          flight.abandoned.abort(reader!.reason);
        }
        reject(reader!.reason as Error);
      };
    });
    if (reader?.aborted) leave();
    reader?.addEventListener('abort', leave);
    try {
      return await Promise.race([flight.drawn, left]);
    } finally {
      reader?.removeEventListener('abort', leave);
    }
  }

  return {
    async tickets({ orderId, orderNumber, event, tickets, refundable, refundableUntil }, { words, ...parts }, reader) {
      const { poster, support } = parts;
      const order = { orderId, orderNumber, event, tickets, refundable, refundableUntil };
      const { language } = words;
      // The PDF needs only the origin. The rest of a mail's URL is the order's secret link.
      const siteUrl = new URL(parts.siteUrl).origin;
      // The cache key is a digest of everything on the PDF. Any change results in another key, so a cached PDF is never
      // outdated.
      const key = createHash('sha256')
        .update(JSON.stringify({ order, language, support, siteUrl }))
        .update(poster ?? '')
        .digest('base64url');
      const known = kept.get(key);
      if (known) {
        kept.delete(key);
        kept.set(key, known);
        return known;
      }
      const leave = reader ? readers.enter() : undefined;
      try {
        return await fileOf(key, { kind: 'tickets', order, language, poster, support, siteUrl }, reader);
      } finally {
        leave?.();
      }
    },
    codes: (texts) => draw({ kind: 'codes', texts }),
  };
}

/** Draws in a separate process with low priority. */
export function openPaperWorkers(): { draw: Draw; size(): number; close(): void } {
  const pool = openWorkerPool<PaperJob, PaperOutcome>(
    { program: fileURLToPath(import.meta.resolve('./paper-worker.ts')), maxWorkers: 1 },
    {
      closed: 'papers-stopped',
      errorOfExit: ({ kind }, signal) =>
        new Error(`${kind} could not be drawn: the process ended (${signal ?? 'by itself'})`),
    },
  );
  const hide = gauges(
    {
      paper_jobs_waiting: 'Tickets that wait to be drawn as PDF, and codes of mails',
      paper_workers: 'Processes that draw tickets',
    },
    [],
    () => [{ values: { paper_jobs_waiting: pool.waiting(), paper_workers: pool.size() } }],
  );
  return {
    async draw(job, signal) {
      const outcome = await pool.perform(job, signal);
      if ('failed' in outcome) throw new Error(outcome.failed);
      return outcome.drawn;
    },
    size: pool.size,
    close() {
      hide();
      pool.close();
    },
  };
}
