/**
 * Encodes arrays as PostgreSQL's binary parameters (array_recv). In a text parameter, each element is quoted and
 * unquoted. For a group of five hundred events, that cost more than writing the rows (docs/decisions/0013).
 */
type Element = number | string | Date | null | undefined;

interface Kind<T> {
  /** pg_type.oid of the element. */
  oid: number;
  /** Size of an element in bytes. */
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
/** A byte for the format's version, then the text (jsonb_recv). */
const jsonb: Kind<string> = {
  oid: 3802,
  size: (value) => 1 + Buffer.byteLength(value),
  write: (buffer, value, offset) => {
    buffer.writeUInt8(1, offset);
    buffer.write(value, offset + 1, 'utf8');
  },
};
/** PostgreSQL counts microseconds from this date. */
export const EPOCH_MS = Date.UTC(2000, 0, 1);

/** Writes two halves, because a BigInt per number is expensive. */
function writeInt8(buffer: Buffer, value: number, offset: number): void {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a safe integer: ${value}`);
  buffer.writeInt32BE(Math.floor(value / 0x1_0000_0000), offset);
  buffer.writeUInt32BE(value >>> 0, offset + 4);
}

const kinds = {
  int2: { oid: 21, size: fixed(2), write: (buffer, value, offset) => void buffer.writeInt16BE(value, offset) },
  int4: { oid: 23, size: fixed(4), write: (buffer, value, offset) => void buffer.writeInt32BE(value, offset) },
  int8: { oid: 20, size: fixed(8), write: writeInt8 },
} satisfies Record<string, Kind<number>>;

/** The value of a hexadecimal digit by its character code; -1 for other characters. */
const DIGITS = new Int8Array(128).fill(-1);
for (const [worth, digit] of [...'0123456789abcdef'].entries())
  for (const form of [digit, digit.toUpperCase()]) DIGITS[form.charCodeAt(0)] = worth;
const digitAt = (text: string, place: number): number => DIGITS[text.charCodeAt(place)] ?? -1;
const HYPHEN = 45;
const uuid: Kind<string> = {
  oid: 2950,
  size: fixed(16),
  write: (buffer, value, offset) => {
    let at = offset;
    let seen = value.length === 36 ? 0 : -1; // negative once an invalid character was found
    for (let place = 0; place < 36; place += 2) {
      if (place === 8 || place === 13 || place === 18 || place === 23)
        if (value.charCodeAt(place++) !== HYPHEN) seen = -1;
      const byte = (digitAt(value, place) << 4) | digitAt(value, place + 1);
      seen |= byte;
      buffer[at++] = byte;
    }
    if (seen < 0) throw new TypeError(`not a UUID: ${value}`);
  },
};
const timestamptz: Kind<Date | string> = {
  oid: 1184,
  size: fixed(8),
  write: (buffer, value, offset) => {
    const ms = typeof value === 'string' ? Date.parse(value) : value.getTime();
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
export const jsons = (values: List<string>): Buffer => encode(utf8(114), values);
export const jsonbs = (values: List<string>): Buffer => encode(jsonb, values);
export const times = (values: List<Date | string>): Buffer => encode(timestamptz, values);
