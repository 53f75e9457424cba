/**
 * Arrays as PostgreSQL's binary parameters (array_recv). A text array is quoted here and unquoted there, element by element: for a
 * group of five hundred events that cost more than writing the rows (docs/decisions/0013).
 */
type Element = number | string | Date | null | undefined;

interface Kind<T> {
  /** pg_type.oid of the element. */
  oid: number;
  /** Bytes of an element. */
  size: (value: T) => number;
  write: (buffer: Buffer, value: T, offset: number) => void;
}

const HEADER = 20;

function encode<T extends Element>({ oid, size, write }: Kind<NonNullable<T>>, values: readonly T[]): Buffer {
  let bytes = HEADER + values.length * 4;
  let hasNull = 0;
  for (const value of values) {
    if (value === null || value === undefined) hasNull = 1;
    else bytes += size(value);
  }
  const buffer = Buffer.allocUnsafe(bytes);
  buffer.writeInt32BE(1, 0); // dimensions
  buffer.writeInt32BE(hasNull, 4);
  buffer.writeInt32BE(oid, 8);
  buffer.writeInt32BE(values.length, 12);
  buffer.writeInt32BE(1, 16); // lower bound
  let at = HEADER;
  for (const value of values) {
    if (value === null || value === undefined) {
      buffer.writeInt32BE(-1, at);
      at += 4;
      continue;
    }
    const length = size(value);
    buffer.writeInt32BE(length, at);
    write(buffer, value, at + 4);
    at += 4 + length;
  }
  return buffer;
}

const fixed =
  <T>(bytes: number) =>
  (_value: T): number =>
    bytes;
const utf8 = (oid: number): Kind<string> => ({
  oid,
  size: (value) => Buffer.byteLength(value),
  write: (buffer, value, offset) => void buffer.write(value, offset, 'utf8'),
});
/** PostgreSQL counts microseconds from here. */
const EPOCH_MS = Date.UTC(2000, 0, 1);

/** In two halves: a BigInt for each number is dear. */
function writeInt8(buffer: Buffer, value: number, offset: number): void {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a whole number that can be told exactly: ${value}`);
  buffer.writeInt32BE(Math.floor(value / 0x1_0000_0000), offset);
  buffer.writeUInt32BE(value >>> 0, offset + 4);
}

const kinds = {
  int2: { oid: 21, size: fixed(2), write: (buffer, value, offset) => void buffer.writeInt16BE(value, offset) },
  int4: { oid: 23, size: fixed(4), write: (buffer, value, offset) => void buffer.writeInt32BE(value, offset) },
  int8: { oid: 20, size: fixed(8), write: writeInt8 },
} satisfies Record<string, Kind<number>>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** The worth of a hexadecimal digit by its character code: 0 to 9, A to F, a to f. */
const digit = (code: number): number => (code < 58 ? code - 48 : (code | 32) - 87);
const uuid: Kind<string> = {
  oid: 2950,
  size: fixed(16),
  write: (buffer, value, offset) => {
    if (!UUID.test(value)) throw new TypeError(`not a UUID: ${value}`);
    let at = offset;
    for (let place = 0; place < 36; place += 2) {
      if (value.charCodeAt(place) === 45) place++; // a hyphen
      buffer[at++] = (digit(value.charCodeAt(place)) << 4) | digit(value.charCodeAt(place + 1));
    }
  },
};
/** The last time that was read: those of a crowd's events are the same, one after the other. */
let read = { text: '', ms: NaN };
function msOf(text: string): number {
  if (text !== read.text) read = { text, ms: Date.parse(text) };
  return read.ms;
}
const timestamptz: Kind<Date | string> = {
  oid: 1184,
  size: fixed(8),
  write: (buffer, value, offset) => {
    const ms = typeof value === 'string' ? msOf(value) : value.getTime();
    if (Number.isNaN(ms)) throw new TypeError(`not a time: ${String(value)}`);
    writeInt8(buffer, (ms - EPOCH_MS) * 1_000, offset);
  },
};

type List<T> = ReadonlyArray<T | null | undefined>;
export const int2s = (values: List<number>): Buffer => encode(kinds.int2, values);
export const int4s = (values: List<number>): Buffer => encode(kinds.int4, values);
export const int8s = (values: List<number>): Buffer => encode(kinds.int8, values);
export const uuids = (values: List<string>): Buffer => encode(uuid, values);
export const texts = (values: List<string>): Buffer => encode(utf8(25), values);
/** Values as JSON. */
export const jsons = (values: readonly unknown[]): Buffer =>
  encode(
    utf8(114),
    values.map((value) => JSON.stringify(value)),
  );
export const times = (values: List<Date | string>): Buffer => encode(timestamptz, values);
