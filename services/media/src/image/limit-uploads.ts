import type { Request, RequestHandler } from 'express';
import { gatesByKey } from '@beltway/kit/overload';
import { unavailable, type Unavailable } from '@beltway/kit/problems';

/**
 * Bodies of several megabytes are held in memory or on disk: only `limit` at the same time, of one sender (`keyOf`) or of all. One more
 * gets 503 at once; its body is read to the end and thrown away, so that the sender sees the answer.
 */
export function limitUploads(
  limit: number,
  keyOf: (req: Request) => string = () => 'all',
  what: Unavailable = 'too-many-pictures',
): RequestHandler {
  const enter = gatesByKey(limit);
  return (req, res, next) => {
    // The client left while its sign-in was checked: 'close' has fired already, and would not give the place back.
    if (res.destroyed) return;
    const leave = enter(keyOf(req));
    if (!leave) {
      req.resume();
      throw unavailable(what, 2);
    }
    res.once('close', leave);
    next();
  };
}
