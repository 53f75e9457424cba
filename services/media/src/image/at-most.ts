import type { Request, RequestHandler } from 'express';
import { unavailable } from '@beltway/kit/problems';

/**
 * Bodies of several megabytes are held in memory: only so many at the same time, of one sender (`keyOf`) or of all. One more
 * gets 503 at once; its body is read to the end and thrown away, so that the sender sees the answer.
 */
export function atMost(limit: number, keyOf: (req: Request) => unknown = () => 'all'): RequestHandler {
  const held = new Map<unknown, number>();
  return (req, res, next) => {
    // Its client left while the sign-in was checked: 'close' was told, and would not give the place back.
    if (res.destroyed) return;
    const key = keyOf(req);
    const count = held.get(key) ?? 0;
    if (count >= limit) {
      req.resume();
      throw unavailable('Too many pictures are on their way. Please try again in a moment.', 2);
    }
    held.set(key, count + 1);
    res.once('close', () => {
      const left = (held.get(key) ?? 1) - 1;
      if (left > 0) held.set(key, left);
      else held.delete(key);
    });
    next();
  };
}
