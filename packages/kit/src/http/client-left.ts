import type { ServerResponse } from 'node:http';
import { HttpProblem } from './problems.ts';

/** A signal that aborts when the client disconnects, to stop work on its response. */
export function clientLeft(res: ServerResponse): AbortSignal {
  const left = new AbortController();
  // Status 499 as in nginx. The client does not receive it, and logs do not count it as an error.
  const leave = () => left.abort(new HttpProblem(499, 'client-left'));
  if (res.destroyed) leave();
  else res.once('close', leave);
  return left.signal;
}
