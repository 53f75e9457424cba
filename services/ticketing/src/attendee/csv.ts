import type { Attendee } from '@beltway/contracts/ticketing';

/** Of the file: what each column holds. */
const COLUMNS: Array<[string, (attendee: Attendee) => string]> = [
  ['Order number', ({ orderNumber }) => orderNumber ?? ''],
  ['Name', ({ name }) => name],
  ['Tickets', ({ quantity }) => String(quantity)],
  ['Status', ({ status }) => status],
  ['Paid (USD)', ({ amount }) => amount.toFixed(2)],
  ['Ordered at (UTC)', ({ orderedAt }) => orderedAt],
];

/**
 * Spreadsheets run what begins so (OWASP, "CSV Injection"), the full-width forms in some languages; an apostrophe makes
 * it text. Where a comma separates decimals they divide lines at semicolons, also within quotes that do not begin a
 * cell.
 */
const RUNS = /(^|;)(?=\s*[=+\-@\t\r＝＋－＠])/g;

/** A field as RFC 4180 writes it, in quotes, and never a formula. */
const field = (text: string): string => `"${text.replace(RUNS, "$1'").replaceAll('"', '""')}"`;
const line = (texts: string[]): string => `${texts.map(field).join(',')}\r\n`;

/** The byte order mark tells spreadsheets that the names are UTF-8. */
export const csvHead = (): string => `\uFEFF${line(COLUMNS.map(([name]) => name))}`;
export const csvLines = (attendees: Attendee[]): string =>
  attendees.map((attendee) => line(COLUMNS.map(([, of]) => of(attendee)))).join('');
