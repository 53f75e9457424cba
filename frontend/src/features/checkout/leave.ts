import { giveBack } from './api.ts';

/** Who comes back to the checkout within this time has not left it (milliseconds). */
const GRACE_MS = 10_000;

const leaving = new Map<number, ReturnType<typeof setTimeout>>();
const lockOf = (eventId: number) => `beltway.checkout.${eventId}`;

/**
 * Marks the checkout as open; answers a function to call when it is left. Ten seconds after it was left for another page the hold is
 * given back, unless another tab has the checkout open. After a closed tab the hold lapses: closing looks like a reload, which goes on
 * with it.
 */
export function openCheckout(eventId: number): (isPaying: boolean) => void {
  clearTimeout(leaving.get(eventId));
  const locks = (navigator as Partial<Navigator>).locks;
  if (!locks) return () => undefined;
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  void locks.request(lockOf(eventId), { mode: 'shared' }, () => closed);
  return (isPaying) => {
    close();
    // If this is refused or gets no answer, the hold lapses by itself.
    const last = (lock: Lock | null) => (lock ? giveBack(eventId).catch(() => undefined) : undefined);
    if (!isPaying)
      leaving.set(
        eventId,
        setTimeout(() => void locks.request(lockOf(eventId), { ifAvailable: true }, last), GRACE_MS),
      );
  };
}
