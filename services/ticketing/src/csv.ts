/**
 * Spreadsheets run what begins so (OWASP, "CSV Injection"), the full-width forms in some languages; an apostrophe makes
 * it text. Where a comma separates decimals they divide lines at semicolons, also within quotes that do not begin a
 * cell.
 */
const RUNS = /(^|;)(?=\s*[=+\-@\t\r＝＋－＠])/g;

/** A field as RFC 4180 writes it, in quotes, and never a formula. */
const field = (text: string): string => `"${text.replace(RUNS, "$1'").replaceAll('"', '""')}"`;
const line = (texts: string[]): string => `${texts.map(field).join(',')}\r\n`;

/** What each column of a file is called, and what it holds of a row. */
export type CsvColumns<Row> = ReadonlyArray<[name: string, of: (row: Row) => string]>;

/** The byte order mark tells spreadsheets that the text is UTF-8. */
export const csvHead = <Row>(columns: CsvColumns<Row>): string => `\uFEFF${line(columns.map(([name]) => name))}`;
export const csvLines = <Row>(columns: CsvColumns<Row>, rows: readonly Row[]): string =>
  rows.map((row) => line(columns.map(([, of]) => of(row)))).join('');

/** Resolves when the client has taken what was written, or is gone. */
export const drained = (res: NodeJS.WritableStream) =>
  new Promise<void>((resolve) => {
    const done = () => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
  });
