import type { Row } from './ledger-rows.ts';

/** The documents written last, as they are in the database: an intent is confirmed, and a charge refunded, soon after it was made. */
export function openMemory(max = 5_000) {
  const rows = new Map<string, Row>();
  return {
    of: (ids: string[]): Map<string, Row> =>
      new Map(ids.flatMap((id) => (rows.has(id) ? [[id, rows.get(id) as Row]] : []))),
    keep(written: Row[]): void {
      for (const row of written) {
        // Re-inserted at the end: the longest unchanged go first.
        rows.delete(row.body.id);
        rows.set(row.body.id, { ...row, version: row.version + 1 });
      }
      for (const id of rows.keys()) {
        if (rows.size <= max) return;
        rows.delete(id);
      }
    },
    clear: (): void => rows.clear(),
  };
}
