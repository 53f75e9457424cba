import { GuestKey } from '@beltway/contracts/ticketing/tickets';
import { post } from '../http/http.ts';
import { sessionStore } from '../storage/session-store.ts';

const SLOT = 'beltway.guest-key';
let asking: Promise<string> | null = null;

/** This browser's guest key: issued by the server, requested once and stored. */
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

/** Call when the server rejects the key, because the server's secret has changed since. */
export const forgetGuestKey = (): void => localStorage.removeItem(SLOT);

/** The `Idempotency-Key` of an order: for an account, `text`; for a guest, the guest key followed by `text`. */
export const orderKeyFor = async (text: string): Promise<string> =>
  sessionStore.get().token ? text : `${await guestKey()}.${text}`;
