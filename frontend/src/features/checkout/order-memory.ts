import { Hold } from '@beltway/contracts/ticketing/tickets';
import { z } from 'zod';
import { orderKeys, orderSlot } from '../../lib/orders/orders.ts';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { tabStorage } from '../../lib/storage/tab-storage.ts';

/**
 * The order in progress for an event. All tabs of the browser share it, so that Back, a reload and a second tab
 * continue with the same hold.
 */
const Remembered = z.object({
  /** The current hold. */
  order: Hold.nullable(),
  /** A hold request without an answer. A retry with the same key gets the same hold. */
  asked: z.object({ key: z.string(), quantity: z.number() }).nullable(),
  /** The account that requested the hold; null for a guest. */
  buyerId: z.number().nullable(),
  /** True once name and email were sent; a reload then continues at the payment step. */
  isPaying: z.boolean(),
  at: z.number(),
});
export type Remembered = z.infer<typeof Remembered>;

/** `buyerId`: the account that typed name and email; null for a guest. */
const Holder = z.object({ name: z.string(), email: z.string(), buyerId: z.number().nullable() });

type Holder = z.infer<typeof Holder>;

const HOLDER = 'beltway.holder';
/**
 * Remembered orders are dropped after this time. The server decides when an order is over, so this time is far longer
 * than any hold.
 */
const OLD_MS = 24 * 3_600_000;

function read<T>(text: string | null, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(text ?? 'null'));
  } catch {
    return null;
  }
}

const buyerNow = (): number | null => sessionStore.get().user?.id ?? null;
/** True for the signed-in account's own order, and for a guest's order, which continues after the guest signs in. */
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
  /** Removes the order. This tab keeps the order's access key, which the page with the tickets needs. */
  clear: (eventId: number): void => localStorage.removeItem(orderSlot(eventId)),
  /** Calls `changed` when another tab changed the order. */
  follow(eventId: number, changed: () => void): () => void {
    const listener = ({ key }: StorageEvent) => {
      if (key === orderSlot(eventId)) changed();
    };
    window.addEventListener('storage', listener);
    return () => window.removeEventListener('storage', listener);
  },
  /** The buyer's name and email, stored in this tab only, because others may use the browser. */
  holder(): Holder | null {
    const found = read(tabStorage.get(HOLDER), Holder);
    return found && isOurs(found) ? found : null;
  },
  setHolder: ({ name, email }: Omit<Holder, 'buyerId'>): void =>
    tabStorage.set(HOLDER, JSON.stringify({ name, email, buyerId: buyerNow() })),
};
