import { Readable } from 'node:stream';
import type { PoolClient } from 'pg';
import { EPOCH_MS } from '../pg/arrays.ts';
import { copyOut } from '../pg/copy.ts';
import type { Upcasts } from '../types.ts';
import type { Logged } from './read.ts';
import { idOf, upcastEvent } from './upcast.ts';

const COPY = `set local statement_timeout = 0;
  copy (select stream, version, type, data, user_id, correlation_id, causation_id, occurred_at
    from events
    order by tx, position) to stdout (format binary)`;

/** About twenty thousand events. A row that is inserted and updated within one page is written only once. */
const PAGE_BYTES = 8 * 1024 * 1024;

/** Reads the fields of a binary row in sequence. Each field has its length (-1 is null) and its bytes. */
class Fields {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#at = at + 2; // after the number of fields
  }

  skip(): void {
    this.#next();
  }

  #next(): number {
    const length = this.#bytes.readInt32BE(this.#at);
    this.#at += 4 + Math.max(length, 0);
    return length;
  }

  text(): string {
    const length = this.#next();
    return this.#bytes.toString('utf8', this.#at - length, this.#at);
  }

  int4(): number | null {
    return this.#next() < 0 ? null : this.#bytes.readInt32BE(this.#at - 4);
  }

  int8(): number {
    this.#next();
    return this.#bytes.readInt32BE(this.#at - 8) * 0x1_0000_0000 + this.#bytes.readUInt32BE(this.#at - 4);
  }
}

/**
 * A page of the log in binary form. Events are decoded one stream at a time, because objects for a whole page would
 * survive every minor garbage collection.
 */
export class RowPage {
  readonly #bytes: Buffer;
  readonly #upcasts: Upcasts;
  #end = 0;
  size = 0;
  /** Offsets of each stream's rows. */
  readonly #starts = new Map<string, number[]>();

  constructor(bytes: number, upcasts: Upcasts) {
    this.#bytes = Buffer.allocUnsafe(bytes);
    this.#upcasts = upcasts;
  }

  hasRoomFor(row: Buffer): boolean {
    return this.#end + row.length <= this.#bytes.length;
  }

  /** Copies the row, because pg reuses its buffer. */
  add(row: Buffer): void {
    this.#bytes.set(row, this.#end);
    const stream = new Fields(this.#bytes, this.#end).text();
    const starts = this.#starts.get(stream);
    if (starts) starts.push(this.#end);
    else this.#starts.set(stream, [this.#end]);
    this.#end += row.length;
    this.size++;
  }

  get streams(): Iterable<string> {
    return this.#starts.keys();
  }

  eventsOf(stream: string): Logged[] {
    const id = idOf(stream);
    return (this.#starts.get(stream) ?? []).map((start) => {
      const fields = new Fields(this.#bytes, start);
      fields.skip(); // the stream
      return upcastEvent(this.#upcasts, {
        stream,
        id,
        version: fields.int8(),
        type: fields.text(),
        data: JSON.parse(fields.text()) as unknown,
        userId: fields.int4(),
        correlationId: fields.text(),
        causationId: fields.text(),
        occurredAt: new Date(EPOCH_MS + Math.floor(fields.int8() / 1_000)),
      });
    });
  }
}

/**
 * Reads the whole log in order, in pages, with one COPY. Reading takes 3 µs of processor time per event, whereas JSON
 * pages from a query take 6.5 µs. In the bench `rebuild`, an event takes 26 µs in total. The server waits while the
 * caller does not read pages. The table must be locked against appends. A caller that stops early must close the
 * connection.
 */
export function wholeLog(client: PoolClient, upcasts: Upcasts): Readable & AsyncIterable<RowPage> {
  let page = new RowPage(PAGE_BYTES, upcasts);
  const pages = new Readable({ objectMode: true, highWaterMark: 1, read: () => copy.resume() });
  const copy = copyOut(client, COPY, {
    onRow(row) {
      if (!page.hasRoomFor(row)) {
        if (!pages.push(page)) copy.pause();
        page = new RowPage(Math.max(PAGE_BYTES, row.length), upcasts);
      }
      page.add(row);
    },
    onEnd() {
      pages.push(page);
      pages.push(null);
    },
    onError: (error) => void pages.destroy(error),
  });
  return pages;
}
