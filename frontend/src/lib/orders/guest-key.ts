import { GuestKey } from '@beltway/contracts/ticketing/tickets';
import { post } from '../http/http.ts';
import { sessionStore } from '../storage/session-store.ts';

const SLOT = 'beltway.guest-key';
let asking: Promise<string> | null = null;

/** The guest key of this browser: made by the server, requested once and kept. */
export function guestKey(): Promise<string> {
  const known = localStorage.getItem(SLOT);
  if (known) return Promise.resolve(known);
  asking ??= post('/api/order-keys', undefined, GuestKey)
    .then(({ key }) => {
      localStorage.setItem(SLOT, key);
      return key;
    })
    .finally(() => {
      asking = null;
    });
  return asking;
}

/** For a key that the server refuses, because its secret has changed since it made it. */
export const forgetGuestKey = (): void => localStorage.removeItem(SLOT);

/** The `Idempotency-Key` of an order: for an account the text alone, for a guest behind the guest key. */
export const orderKeyFor = async (text: string): Promise<string> =>
  sessionStore.get().token ? text : `${await guestKey()}.${text}`;
