import { Readable } from 'node:stream';
import type { PoolClient } from 'pg';
import { EPOCH_MS } from './arrays.ts';
import type { Logged } from './read-log.ts';

const COPY = `set local statement_timeout = 0;
  copy (select stream, version, type, data, user_id, correlation_id, causation_id, occurred_at
    from events
    order by tx, position) to stdout (format binary)`;

/** Before the first row and in one message with it: a signature, flags and the length of nothing. */
const HEADER = 19;
/** Stands for the number of fields when no row follows. */
const END = -1;

/** Some twenty thousand events. What lives from its hold to its end within one page is written once. */
const PAGE_BYTES = 8 * 1024 * 1024;

/** What we use of pg's connection. */
interface Wire {
  query(text: string): void;
  stream: { pause(): void; resume(): void };
}

/** The fields of a row, one after the other: each its length (-1 is null) and its bytes. */
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

/** A run of the log as it came. Events are made of it one stream at a time: a page of them would outlive every quick collection. */
export class Page {
  readonly #bytes: Buffer;
  #end = 0;
  size = 0;
  /** Where the rows of each stream begin. */
  readonly #starts = new Map<string, number[]>();

  constructor(bytes: number) {
    this.#bytes = Buffer.allocUnsafe(bytes);
  }

  hasRoomFor(row: Buffer): boolean {
    return this.#end + row.length <= this.#bytes.length;
  }

  /** Copies it: pg uses its buffer again. */
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
    const id = stream.slice(stream.indexOf('-') + 1);
    return (this.#starts.get(stream) ?? []).map((start) => {
      const fields = new Fields(this.#bytes, start);
      fields.skip(); // the stream
      return {
        stream,
        id,
        version: fields.int8(),
        type: fields.text(),
        data: JSON.parse(fields.text()) as unknown,
        userId: fields.int4(),
        correlationId: fields.text(),
        causationId: fields.text(),
        occurredAt: new Date(EPOCH_MS + Math.floor(fields.int8() / 1_000)),
      };
    });
  }
}

/**
 * The whole log in its order, in pages. It is one COPY: finding each next page and making JSON of its columns cost the server four
 * times as much. The server waits while pages are not taken. The table must be locked against appends. Who does not read to the end
 * has to close the connection.
 */
export function wholeLog(client: PoolClient): Readable & AsyncIterable<Page> {
  let page = new Page(PAGE_BYTES);
  let header = HEADER;
  let wire: Wire | undefined;
  const pages = new Readable({ objectMode: true, highWaterMark: 1, read: () => wire?.stream.resume() });
  // The shape that pg asks of a query of somebody else's making.
  const query = {
    callback: (error?: Error | null) => (error ? pages.destroy(error) : pages.push(null)),
    submit(connection: Wire) {
      wire = connection;
      connection.query(COPY);
    },
    handleCopyData({ chunk }: { chunk: Buffer }) {
      const row = chunk.subarray(header);
      header = 0;
      if (row.readInt16BE(0) === END) return;
      if (!page.hasRoomFor(row)) {
        if (!pages.push(page)) wire?.stream.pause();
        page = new Page(Math.max(PAGE_BYTES, row.length));
      }
      page.add(row);
    },
    handleError: (error: Error) => void query.callback(error),
    handleReadyForQuery() {
      pages.push(page);
      query.callback();
    },
    handleCommandComplete: () => undefined,
    handleRowDescription: () => undefined,
  };
  client.query(query as never);
  return pages;
}
