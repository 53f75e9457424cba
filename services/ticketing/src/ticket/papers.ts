import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Language } from '@beltway/contracts/common/languages';
import { gauges } from '@beltway/kit/metrics';
import { gate } from '@beltway/kit/overload';
import { openWorkerPool } from '@beltway/kit/worker-pool';
import type { Sold } from './calendar.ts';
import type { PaperParts } from './documents.ts';

/** One drawing. Words are functions, which no message can carry, so a job names the language. */
export type PaperJob =
  | ({ kind: 'tickets'; order: Sold; language: Language } & Omit<PaperParts, 'words'>)
  | { kind: 'codes'; texts: string[] };

export type PaperOutcome = { drawn: Buffer[] } | { failed: string };

/** Does a job; one that waits is dropped when the signal aborts. */
export type Draw = (job: PaperJob, signal?: AbortSignal) => Promise<Buffer[]>;

export interface Papers {
  /**
   * The tickets of an order as PDF, drawn once until something on it changes. `reader` aborts when the client leaves;
   * with too many readers waiting, throws 503.
   */
  tickets(order: Sold, parts: PaperParts, reader?: AbortSignal): Promise<Buffer>;
  /** QR codes as PNG, in their order. */
  codes(texts: string[]): Promise<Buffer[]>;
}

/** Readers who wait for a PDF; a mail is never refused for them. */
const MAX_READERS = 32;
/** Some 60 kB for two tickets: those of the last few hundred orders. */
const MAX_KEPT_BYTES = 16 * 1_048_576;

interface Flight {
  drawn: Promise<Buffer>;
  /** Callers that wait; the last one to leave drops the work. */
  waiting: number;
  abandoned: AbortController;
}

/** Papers and codes that are drawn elsewhere than on the event loop, which decides holds. */
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
    // Every caller gets the error; there may be no caller left.
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
          // The next who asks does not join what is dropped.
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
      // Paper shows the origin alone; the rest of a mail's address is the order's secret link.
      const siteUrl = new URL(parts.siteUrl).origin;
      // A digest of everything on the paper: a change makes another key, so a kept file is never out of date.
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

/** Draws in a process of its own, which gives way to this one. */
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
