import type { RequestHandler } from 'express';
import { unavailable } from './problems.ts';

/** Seconds after which somebody who was turned away may come again. */
const COME_BACK_S = 1;

/** Counts who is inside, and lets in no more than so many. For what is no Express route; those take `atMost`. */
export interface Gate {
  /** Lets one in; throws 503 with Retry-After, at once, when it is full. Gives what must be called, once, when that one leaves. */
  enter(): () => void;
  inside(): number;
}

/** A gate for `most` at a time; `what` is told to who is turned away. */
export function gate(most: number, what = 'Too many people at once. Please try again in a moment.'): Gate {
  let inside = 0;
  return {
    inside: () => inside,
    enter: () => {
      if (inside >= most) throw unavailable(what, COME_BACK_S);
      inside++;
      return () => void inside--;
    },
  };
}

/**
 * At most `most` requests at a time; one more is answered 503 at once. What is let in is finished. So a slow part costs a bounded
 * amount of memory, and nobody waits for an answer that would come too late to be of use.
 */
export function atMost(most: number, what?: string): RequestHandler {
  const door = gate(most, what);
  return (_req, res, next) => {
    res.once('close', door.enter());
    next();
  };
}
