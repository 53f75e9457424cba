import { keyed, type Secrets } from '@beltway/kit/secrets';
import { uuidFrom } from '@beltway/event-store';

/** Crockford's base 32: without I, L, O and U, so that a code can be read aloud. */
export const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 12;

/**
 * The tickets of an order: one id and code per admission. A code is a keyed digest, so it is unguessable (60 bits). All
 * callers that send the command to sell the order derive the same codes.
 */
export function ticketsOf(secret: Secrets, orderId: string, quantity: number): Array<{ id: string; code: string }> {
  return Array.from({ length: quantity }, (_, index) => {
    const digest = keyed(secret, 'ticket-code', `${orderId}:${index + 1}`);
    const letters = Array.from(digest.subarray(0, LENGTH), (byte) => ALPHABET[byte % 32]).join('');
    return {
      id: uuidFrom(`ticket:${digest.toString('hex')}`),
      code: `${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`,
    };
  });
}
