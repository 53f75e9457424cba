/** Missing in pg's types. Encodes a value for the wire protocol. */
declare module 'pg/lib/utils.js' {
  export function prepareValue(value: unknown): string | Buffer | null;
}
