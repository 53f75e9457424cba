import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';

/** The headers a middleware sets on every answer to this URL alike, to be written without running it again. */
export function fixedHeaders(middleware: RequestHandler, url: string): Array<[name: string, value: string]> {
  const req = new IncomingMessage(new Socket());
  req.url = url;
  const res = new ServerResponse(req);
  middleware(req as never, res as never, () => undefined);
  return Object.entries(res.getHeaders()).map(([name, value]) => [name, String(value)]);
}
