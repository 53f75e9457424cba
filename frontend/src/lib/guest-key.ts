import { GuestKey } from '@beltway/contracts/ticketing';
import { post } from './http.ts';
import { sessionStore } from './session-store.ts';

const SLOT = 'beltway.guest-key';
let asking: Promise<string> | null = null;

/** The key of this browser's guest, made by the server: asked for once, before the first order needs it. */
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

/** The server does not know it: it has another secret than the one that made it. */
export const forgetGuestKey = (): void => localStorage.removeItem(SLOT);

/** The `Idempotency-Key` of an order: an account's is our own choice, a guest's begins with the server's. */
export const orderKeyFor = async (text: string): Promise<string> =>
  sessionStore.get().token ? text : `${await guestKey()}.${text}`;
