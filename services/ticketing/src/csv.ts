import { zonedText } from '@beltway/contracts/common/times';
import type { Response } from 'express';

/**
 * Spreadsheets run what begins so (OWASP, "CSV Injection"), the full-width forms in some languages; an apostrophe makes
 * it text. Where a comma separates decimals they divide lines at semicolons, also within quotes that do not begin a
 * cell.
 */
const RUNS = /(^|;)(?=\s*[=+\-@\t\r＝＋－＠])/g;

/** A field as RFC 4180 writes it, in quotes, and never a formula. */
const field = (text: string): string => `"${text.replace(RUNS, "$1'").replaceAll('"', '""')}"`;
const line = (texts: string[]): string => `${texts.map(field).join(',')}\r\n`;

/** The name of a column whose times are those of New York's clocks, and a time in it as spreadsheets read it: "2026-11-28 19:00:00". */
export const inNewYork = (name: string): string => `${name} (New York)`;
export const newYorkTime = (iso: string): string => zonedText(new Date(iso)).slice(0, 19).replace('T', ' ');

/** What each column of a file is called, and what it holds of a row. */
export type CsvColumns<Row> = ReadonlyArray<[name: string, of: (row: Row) => string]>;

/** The byte order mark tells spreadsheets that the text is UTF-8. */
export const csvHead = <Row>(columns: CsvColumns<Row>): string => `\uFEFF${line(columns.map(([name]) => name))}`;
export const csvLines = <Row>(columns: CsvColumns<Row>, rows: readonly Row[]): string =>
  rows.map((row) => line(columns.map(([, of]) => of(row)))).join('');

/** Resolves when the client has taken what was written, or is gone. */
const drained = (res: Response) =>
  new Promise<void>((resolve) => {
    const done = () => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
  });

interface CsvFile<Row> {
  name: string;
  columns: CsvColumns<Row>;
  /** A page of rows: the first, or the one after `cursor`. */
  read(cursor?: string): Promise<{ rows: readonly Row[]; next: string | null }>;
}

/** Answers with a CSV file (RFC 4180) in which no field is a formula. Read page by page as the client takes it. */
export async function sendCsv<Row>(res: Response, { name, columns, read }: CsvFile<Row>): Promise<void> {
  // What is refused is refused before the file begins.
  let page = await read();
  res
    .set({ 'cache-control': 'private, no-store', 'content-disposition': `attachment; filename="${name}"` })
    .type('text/csv; charset=utf-8');
  if (res.req.method === 'HEAD') return void res.end();
  res.write(csvHead(columns));
  for (;;) {
    const taken = res.write(csvLines(columns, page.rows));
    if (page.next === null) break;
    if (!taken) await drained(res);
    if (res.destroyed) return;
    page = await read(page.next);
  }
  res.end();
}
