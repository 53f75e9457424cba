import { useEffect, useRef, type RefObject } from 'react';
import { isPassing } from '../http/http.ts';
import type { Verdict } from './card-form.tsx';

/** Milliseconds between polls of a payment's state; the last value repeats. */
const ASK_AGAIN = [1_000, 2_000, 4_000, 8_000, 15_000];
export const askAgainAfter = (tries: number): number => ASK_AGAIN[tries] ?? ASK_AGAIN.at(-1)!;
export const pauseAfter = (tries: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, askAgainAfter(tries)));

/** Whether this page is still open: a buyer who has left it is not redirected. */
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

/**
 * For a payment whose outcome the provider did not report: asks the server until it answers, and calls `waiting` after
 * each transient failure.
 */
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

/** Poll interval while the provider still processes the payment. In milliseconds. */
const POLL_MS = 5_000;

/** Query options that poll a payment until it is settled. */
export const untilSettled = {
  staleTime: 0,
  // Transient faults are retried, because an error right after a payment would alarm the buyer.
  retry: (_tries: number, error: unknown) => isPassing(error),
  retryDelay: askAgainAfter,
  refetchInterval: ({ state }: { state: { data?: { status: string } | undefined } }) =>
    state.data?.status === 'processing' ? POLL_MS : false,
} as const;
