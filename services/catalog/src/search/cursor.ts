import { acceptedBy, keyedText, sameText, type Secrets } from '@beltway/kit/secrets';
import { badField } from '@beltway/kit/problems';
import type { WordGroup } from './vocabulary.ts';

/** Where a page ended, and all that the next must read alike. */
export interface Cursor {
  /** When the first page was asked for, milliseconds: "tonight" stays that night. */
  at: number;
  /** The sort keys of the last event, its id last. */
  after: Array<string | number>;
  /** How the words were understood then: words that are learnt meanwhile change nothing. */
  groups: readonly WordGroup[];
  /** A digest of the search that it belongs to. */
  of: string;
}

const PURPOSE = 'search cursor';
const invalid = () => badField('cursor', 'invalid.cursor-of-search');

/** Text for an address, signed: it holds what the server would else have to keep. */
export function writeCursor(secrets: Secrets, cursor: Cursor): string {
  const body = Buffer.from(JSON.stringify(cursor)).toString('base64url');
  return `${body}.${keyedText(secrets, PURPOSE, body)}`;
}

/** Reads a cursor of our own that belongs to this search; anything else is a 400 that names it. */
export function readCursor(secrets: Secrets, text: string, of: string): Cursor {
  const [body = '', signature = '', ...more] = text.split('.');
  if (more.length > 0 || !acceptedBy(secrets, (secret) => sameText(signature, keyedText(secret, PURPOSE, body))))
    throw invalid();
  const cursor = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Cursor;
  if (cursor.of !== of) throw invalid();
  return cursor;
}
