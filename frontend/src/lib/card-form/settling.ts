import { useEffect, useRef, type RefObject } from 'react';
import { isPassing } from '../http/http.ts';
import type { Verdict } from './card-form.tsx';

/** Milliseconds between questions what became of a payment; the last value repeats. */
const ASK_AGAIN = [1_000, 2_000, 4_000, 8_000, 15_000];
export const askAgainAfter = (tries: number): number => ASK_AGAIN[tries] ?? ASK_AGAIN.at(-1)!;
export const pauseAfter = (tries: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, askAgainAfter(tries)));

/** Whether this page is open still: somebody who has left it meanwhile is not moved. */
export function useIsOpen(): RefObject<boolean> {
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  return isOpen;
}

/** The provider did not say whether it was paid: the server is asked until it knows. `waiting` is called while it does not. */
export async function askUntilKnown(
  ask: () => Promise<Verdict>,
  isOpen: () => boolean,
  waiting: () => void,
): Promise<Verdict> {
  for (let tries = 0; isOpen(); tries++) {
    try {
      return await ask();
    } catch (error) {
      if (!isPassing(error)) return 'unknown';
      waiting();
      await pauseAfter(tries);
    }
  }
  return 'unknown';
}

/** A payment that the provider still processes is asked for in these milliseconds. */
const POLL_MS = 5_000;

/** How a query asks what became of a payment, until it is settled. */
export const untilSettled = {
  staleTime: 0,
  // Retried: after a payment a short fault should not be shown as an error.
  retry: (_tries: number, error: unknown) => isPassing(error),
  retryDelay: askAgainAfter,
  refetchInterval: ({ state }: { state: { data?: { status: string } | undefined } }) =>
    state.data?.status === 'processing' ? POLL_MS : false,
} as const;
