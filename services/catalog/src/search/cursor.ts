import { acceptedBy, keyedText, sameText, type Secrets } from '@beltway/kit/secrets';
import { badField } from '@beltway/kit/problems';
import type { WordGroup } from './vocabulary.ts';

/** The position after a page of results, and everything that the next page must interpret in the same way. */
export interface Cursor {
  /** The time of the first page of results, in ms, so that "tonight" means the same night on all pages. */
  at: number;
  /** The sort keys of the last event, its id last. */
  after: Array<string | number>;
  /** The meaning of the words at that time, so that new vocabulary does not change later pages. */
  groups: readonly WordGroup[];
  /** A digest of the search that the cursor belongs to. */
  of: string;
}

const PURPOSE = 'search cursor';
const invalid = () => badField('cursor', 'invalid.cursor-of-search');

/** Returns the cursor as signed text for a URL, because the server does not store it. */
export function writeCursor(secrets: Secrets, cursor: Cursor): string {
  const body = Buffer.from(JSON.stringify(cursor)).toString('base64url');
  return `${body}.${keyedText(secrets, PURPOSE, body)}`;
}

/** Reads a cursor that we issued for this search. Throws 400 at `cursor` for any other text. */
export function readCursor(secrets: Secrets, text: string, of: string): Cursor {
  const [body = '', signature = '', ...more] = text.split('.');
  if (more.length > 0 || !acceptedBy(secrets, (secret) => sameText(signature, keyedText(secret, PURPOSE, body))))
    throw invalid();
  const cursor = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Cursor;
  if (cursor.of !== of) throw invalid();
  return cursor;
}
