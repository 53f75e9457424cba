import { giveBack } from './api.ts';

/** Back and forward again within this time is no leaving (milliseconds). */
const GRACE_MS = 10_000;

const leaving = new Map<number, ReturnType<typeof setTimeout>>();
const lockOf = (eventId: number) => `beltway.checkout.${eventId}`;

/**
 * The checkout is open; answers what to call when it is left. Left for another page, its tickets go back on sale soon, unless
 * another tab has the checkout open. A closed tab lets its hold lapse: it looks like a reload, which must find it again.
 */
export function openCheckout(eventId: number): (isPaying: boolean) => void {
  clearTimeout(leaving.get(eventId));
  const locks = (navigator as Partial<Navigator>).locks;
  if (!locks) return () => undefined;
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  void locks.request(lockOf(eventId), { mode: 'shared' }, () => closed);
  return (isPaying) => {
    close();
    // Refused or without an answer, it lapses.
    const last = (lock: Lock | null) => (lock ? giveBack(eventId).catch(() => undefined) : undefined);
    if (!isPaying)
      leaving.set(
        eventId,
        setTimeout(() => void locks.request(lockOf(eventId), { ifAvailable: true }, last), GRACE_MS),
      );
  };
}
