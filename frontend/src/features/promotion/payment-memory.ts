import type { PaidLevel } from '@beltway/contracts/catalog/promotion';
import { z } from 'zod';

/** Which promotion, for whom: another account in this browser pays for itself. */
export interface Slot {
  userId: number;
  eventId: number;
  level: PaidLevel;
}

const Remembered = z.object({ paymentIntentId: z.string(), at: z.number() });
/** By then webhook and reconciler have settled it. */
const OLD_MS = 24 * 3_600_000;
const nameOf = ({ userId, eventId, level }: Slot) => `beltway.promotion.${userId}.${eventId}.${level}`;

/** The payment that was sent to the card provider and has no answer yet, for a reload or another tab: nobody shall pay twice. */
export const paymentMemory = {
  get(slot: Slot): string | null {
    try {
      const { paymentIntentId, at } = Remembered.parse(JSON.parse(localStorage.getItem(nameOf(slot)) ?? 'null'));
      if (Date.now() - at <= OLD_MS) return paymentIntentId;
    } catch {
      // Nothing, or written by somebody else.
    }
    paymentMemory.clear(slot);
    return null;
  },
  set(slot: Slot, paymentIntentId: string): void {
    try {
      localStorage.setItem(nameOf(slot), JSON.stringify({ paymentIntentId, at: Date.now() }));
    } catch {
      // Full: the payment goes on without.
    }
  },
  clear: (slot: Slot): void => localStorage.removeItem(nameOf(slot)),
};
