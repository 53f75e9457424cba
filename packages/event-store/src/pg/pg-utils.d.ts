/** Not in pg's types: how it turns a value into what goes over the wire. */
declare module 'pg/lib/utils.js' {
  export function prepareValue(value: unknown): string | Buffer | null;
}
