import { Hold } from '@beltway/contracts/ticketing';
import { z } from 'zod';
import { orderKeys, orderSlot } from '../../lib/orders.ts';
import { sessionStore } from '../../lib/session-store.ts';
import { tabStorage } from '../../lib/tab-storage.ts';

/**
 * The order this browser is making for an event. Kept for all its tabs, so that going back, reloading and a second tab go on with
 * the same tickets and hold no others.
 */
const Remembered = z.object({
  /** What is held. */
  order: Hold.nullable(),
  /** The hold that was asked for and not answered: asked again under the same key, it is the same one. */
  asked: z.object({ key: z.string(), quantity: z.number() }).nullable(),
  /** The account that asked; null is a guest. */
  buyerId: z.number().nullable(),
  /** Name and email were given: a reload goes on at the payment. */
  isPaying: z.boolean(),
  at: z.number(),
});
export type Remembered = z.infer<typeof Remembered>;

/** `buyerId`: the account that it was typed in; null for a guest. */
const Holder = z.object({ name: z.string(), email: z.string(), buyerId: z.number().nullable() });

type Holder = z.infer<typeof Holder>;

const HOLDER = 'beltway.holder';
/** Far longer than any hold: only the server says that an order is over, and what became of it. */
const OLD_MS = 24 * 3_600_000;

function read<T>(text: string | null, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(text ?? 'null'));
  } catch {
    return null;
  }
}

const buyerNow = (): number | null => sessionStore.get().user?.id ?? null;
/** Another account's is not ours; what a guest did goes on after signing in. */
const isOurs = ({ buyerId }: { buyerId: number | null }): boolean => buyerId === null || buyerId === buyerNow();
const nothing = { order: null, asked: null, isPaying: false };

export const orderMemory = {
  get(eventId: number): Remembered | null {
    const found = read(localStorage.getItem(orderSlot(eventId)), Remembered);
    if (!found) return null;
    if (Date.now() - found.at > OLD_MS) {
      orderMemory.clear(eventId);
      return null;
    }
    if (!isOurs(found)) return null;
    if (found.order) orderKeys.set(found.order.orderId, found.order.accessKey);
    return found;
  },
  set(eventId: number, changes: Partial<Omit<Remembered, 'buyerId' | 'at'>>): void {
    const { order, asked, isPaying } = { ...nothing, ...orderMemory.get(eventId), ...changes };
    const kept: Remembered = { order, asked, isPaying, buyerId: buyerNow(), at: Date.now() };
    localStorage.setItem(orderSlot(eventId), JSON.stringify(kept));
    if (order) orderKeys.set(order.orderId, order.accessKey);
  },
  /** The order is over; its key stays with this tab, for the page that shows its tickets. */
  clear: (eventId: number): void => localStorage.removeItem(orderSlot(eventId)),
  /** Calls when another tab changed it. */
  follow(eventId: number, changed: () => void): () => void {
    const listener = ({ key }: StorageEvent) => {
      if (key === orderSlot(eventId)) changed();
    };
    window.addEventListener('storage', listener);
    return () => window.removeEventListener('storage', listener);
  },
  /** Whose tickets: of this tab alone, for others may use this browser too. */
  holder(): Holder | null {
    const found = read(tabStorage.get(HOLDER), Holder);
    return found && isOurs(found) ? found : null;
  },
  setHolder: ({ name, email }: Omit<Holder, 'buyerId'>): void =>
    tabStorage.set(HOLDER, JSON.stringify({ name, email, buyerId: buyerNow() })),
};
