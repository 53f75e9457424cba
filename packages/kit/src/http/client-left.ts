import type { ServerResponse } from 'node:http';
import { HttpProblem } from './problems.ts';

/** A signal that aborts when the client leaves: what is still to be made of its answer need not be made. */
export function clientLeft(res: ServerResponse): AbortSignal {
  const left = new AbortController();
  // As nginx does. The client does not see it, and logs do not count it as an error.
  const leave = () => left.abort(new HttpProblem(499, 'client-left'));
  if (res.destroyed) leave();
  else res.once('close', leave);
  return left.signal;
}
