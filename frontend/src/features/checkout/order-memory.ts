import { z } from 'zod';
import { orderKeys } from '../../lib/orders.ts';

/** What this tab knows of the order it is making for an event: going back, or reloading, loses nothing. */
const Remembered = z.object({
  orderId: z.string(),
  accessKey: z.string(),
  quantity: z.number(),
  name: z.string(),
  email: z.string(),
});
export type Remembered = z.infer<typeof Remembered>;

const slot = (eventId: number) => `beltway.order.${eventId}`;
const HOLDER = 'beltway.holder';

const read = <T>(name: string, schema: z.ZodType<T>): T | null => {
  try {
    return schema.parse(JSON.parse(sessionStorage.getItem(name) ?? 'null'));
  } catch {
    return null;
  }
};

export const orderMemory = {
  get: (eventId: number): Remembered | null => read(slot(eventId), Remembered),
  set: (eventId: number, order: Remembered): void => {
    sessionStorage.setItem(slot(eventId), JSON.stringify(order));
    orderKeys.set(order.orderId, order.accessKey);
    sessionStorage.setItem(HOLDER, JSON.stringify({ name: order.name, email: order.email }));
  },
  /** The order is over; its key stays, for the page that shows its tickets. */
  clear: (eventId: number): void => sessionStorage.removeItem(slot(eventId)),
  holder: () => read(HOLDER, z.object({ name: z.string(), email: z.string() })),
};
