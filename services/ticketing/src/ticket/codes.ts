import { keyed, type Secrets } from '@beltway/kit/secrets';
import { uuidFrom } from '@beltway/event-store';

/** Crockford's base 32: no I, L, O, U, so that a code can be read out. */
export const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 12;

/**
 * The tickets of an order: one id and code per admission. Codes are a keyed digest, so nobody can guess one (60 bits),
 * and whatever sells an order makes the same.
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
