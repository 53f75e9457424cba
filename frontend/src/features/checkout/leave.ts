import { giveBack } from './api.ts';

/** A buyer who returns to the checkout within this many milliseconds keeps the hold. */
const GRACE_MS = 10_000;

const leaving = new Map<number, ReturnType<typeof setTimeout>>();
const lockOf = (eventId: number) => `beltway.checkout.${eventId}`;

/**
 * Marks the checkout as open; returns a function to call when the buyer leaves it. Ten seconds after the buyer
 * navigates to another page, the hold is released, unless another tab has the checkout open. If the buyer closes the
 * tab, the hold is kept until it lapses. Closing a tab looks the same as a reload, which must keep the hold.
 */
export function openCheckout(eventId: number): (isPaying: boolean) => void {
  clearTimeout(leaving.get(eventId));
  const locks = (navigator as Partial<Navigator>).locks;
  if (!locks) return () => undefined;
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  void locks.request(lockOf(eventId), { mode: 'shared' }, () => closed);
  return (isPaying) => {
    close();
    // If this request fails, the hold lapses on its own.
    const last = (lock: Lock | null) => (lock ? giveBack(eventId).catch(() => undefined) : undefined);
    if (!isPaying)
      leaving.set(
        eventId,
        setTimeout(() => void locks.request(lockOf(eventId), { ifAvailable: true }, last), GRACE_MS),
      );
  };
}
