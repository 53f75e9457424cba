import type { Request } from 'express';
import { parseJson } from '@beltway/kit/json-body';
import { HttpProblem } from '@beltway/kit/problems';
import { readBody } from '@beltway/kit/read-body';
import { bufferedBodyOf } from '../inbound/bodies.ts';

/**
 * Returns the JSON body of a request that the gateway itself handles. Throws 415 for another media type, 413 beyond
 * `maxBytes` and 400 for invalid JSON.
 */
export async function jsonOf(req: Request, maxBytes: number): Promise<object> {
  if (req.is('application/json') === false) throw new HttpProblem(415, 'unsupported-media-type');
  return parseJson(bufferedBodyOf(req) ?? (await readBody(req, maxBytes)));
}

/** Parses a text as JSON. Returns undefined when it is invalid. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
