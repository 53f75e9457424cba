import type { Request, RequestHandler } from 'express';
import { gatesByKey } from '@beltway/kit/overload';
import { unavailable, type Unavailable } from '@beltway/kit/problems';

/**
 * Bodies of several megabytes are held in memory or on disk. Only `limit` bodies are therefore accepted at the same
 * time, for each sender (`keyOf`) or in total. Further requests get 503 immediately. The body of a refused request is
 * still read and discarded, so that the sender sees the response.
 */
export function limitUploads(
  limit: number,
  keyOf: (req: Request) => string = () => 'all',
  what: Unavailable = 'too-many-pictures',
): RequestHandler {
  const enter = gatesByKey(limit);
  return (req, res, next) => {
    // The client disconnected during authentication: 'close' has already fired and would not free the slot.
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
