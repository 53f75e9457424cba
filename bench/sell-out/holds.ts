import { randomUUID } from 'node:crypto';
import { requestOf } from '../support/connection.ts';

/**
 * Returns the next request `POST /api/holds` for one ticket, sent by one user after the other, each with a separate
 * idempotency key.
 */
export function holdRequests(tokens: string[], eventId: number): () => string {
  const body = JSON.stringify({ eventId, quantity: 1 });
  const [before, after] = requestOf('POST', '/api/holds', ['content-type: application/json', 'SPLIT'], body).split(
    'SPLIT',
  );
  const starts = tokens.map((token) => `${before}authorization: Bearer ${token}\r\nidempotency-key: `);
  let turn = 0;
  return () => `${starts[turn++ % starts.length]}${randomUUID()}${after}`;
}
