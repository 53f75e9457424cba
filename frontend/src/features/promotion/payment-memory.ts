import type { PaidLevel } from '@beltway/contracts/catalog/promotion';
import { z } from 'zod';

/** A promotion and its payer. Includes the payer, because another account in this browser pays separately. */
export interface Slot {
  userId: number;
  eventId: number;
  level: PaidLevel;
}

const Remembered = z.object({ paymentIntentId: z.string(), at: z.number() });
/** After this time in ms, the webhook or the reconciler has settled the payment. */
const OLD_MS = 24 * 3_600_000;
const nameOf = ({ userId, eventId, level }: Slot) => `beltway.promotion.${userId}.${eventId}.${level}`;

/**
 * Remembers a payment that was sent to the card provider and is not confirmed yet, so that a reload or another tab does
 * not pay twice.
 */
export const paymentMemory = {
  get(slot: Slot): string | null {
    try {
      const { paymentIntentId, at } = Remembered.parse(JSON.parse(localStorage.getItem(nameOf(slot)) ?? 'null'));
      if (Date.now() - at <= OLD_MS) return paymentIntentId;
    } catch {
      // The stored value is missing or malformed.
    }
    paymentMemory.clear(slot);
    return null;
  },
  set(slot: Slot, paymentIntentId: string): void {
    try {
      localStorage.setItem(nameOf(slot), JSON.stringify({ paymentIntentId, at: Date.now() }));
    } catch {
      // Storage is full. The payment continues without being remembered.
    }
  },
  clear: (slot: Slot): void => localStorage.removeItem(nameOf(slot)),
};
