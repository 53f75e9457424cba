import type { Request, Response } from 'express';
import { codingFor, preconditions } from './negotiation.ts';
import type { Representations } from './representations.ts';

/** Sends an answer from memory in the best coding that the client accepts, or 304 if the client has this version. */
export async function sendRepresentations(
  req: Request,
  res: Response,
  answer: Representations,
  { status = 200, cacheControl }: { status?: number; cacheControl: string },
): Promise<void> {
  const coding = codingFor(req.headers, answer);
  const unchanged = status === 200 ? preconditions(req.headers, answer, coding) : undefined;
  res.set('cache-control', cacheControl);
  if (typeof unchanged === 'object') {
    const { unchanged: lines } = await answer.make(unchanged.unchanged);
    setLines(res, lines);
    return void res.status(304).end();
  }
  const { body, headers } = await answer.make(coding);
  setLines(res, headers);
  res.status(status);
  if (req.method === 'HEAD') res.end();
  else res.end(body);
}

/** Sets headers from an array of alternating names and values, the form that `writeHead` accepts. */
function setLines(res: Response, lines: readonly string[]): void {
  for (let at = 0; at < lines.length; at += 2) {
    const [name = '', value = ''] = [lines[at], lines[at + 1]];
    if (name.toLowerCase() === 'vary') res.vary(value);
    else res.setHeader(name, value);
  }
}
