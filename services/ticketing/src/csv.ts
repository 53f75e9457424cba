import { zonedText } from '@beltway/contracts/common/times';
import type { Response } from 'express';

/**
 * Spreadsheets run cells that begin with these characters as formulas (OWASP, "CSV Injection"); with some language
 * settings also cells that begin with the full-width forms. A leading apostrophe makes a cell text. In countries with
 * decimal commas, spreadsheets also split lines at semicolons, even within quotes that do not begin a cell.
 */
const RUNS = /(^|;)(?=\s*[=+\-@\t\r＝＋－＠])/g;

/** Quotes a field (RFC 4180), so that no spreadsheet runs it as a formula. */
const field = (text: string): string => `"${text.replace(RUNS, "$1'").replaceAll('"', '""')}"`;
const line = (texts: string[]): string => `${texts.map(field).join(',')}\r\n`;

/**
 * The column name for times in New York, which are written in a form that spreadsheets parse: "2026-11-28 19:00:00".
 */
export const inNewYork = (name: string): string => `${name} (New York)`;
export const newYorkTime = (iso: string): string => zonedText(new Date(iso)).slice(0, 19).replace('T', ' ');

/** The columns of a file: for each column its name, and a function that returns a row's value. */
export type CsvColumns<Row> = ReadonlyArray<[name: string, of: (row: Row) => string]>;

/** The header line. The byte order mark makes spreadsheets read the file as UTF-8. */
export const csvHead = <Row>(columns: CsvColumns<Row>): string => `\uFEFF${line(columns.map(([name]) => name))}`;
export const csvLines = <Row>(columns: CsvColumns<Row>, rows: readonly Row[]): string =>
  rows.map((row) => line(columns.map(([, of]) => of(row)))).join('');

/** Resolves when the client has read the written data or has disconnected. */
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
  /** Reads a part of the rows: the first part, or the part after `cursor`. */
  read(cursor?: string): Promise<{ rows: readonly Row[]; next: string | null }>;
}

/**
 * Sends a CSV file (RFC 4180) without formulas. Reads the next rows only when the client has received the previous
 * rows.
 */
export async function sendCsv<Row>(res: Response, { name, columns, read }: CsvFile<Row>): Promise<void> {
  // The first rows are read before the response begins, so that an error can still be sent with its status.
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
