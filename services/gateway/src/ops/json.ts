import type { Request } from 'express';
import { parseJson } from '@beltway/kit/json-body';
import { HttpProblem } from '@beltway/kit/problems';
import { readBody } from '@beltway/kit/read-body';
import { bufferedBodyOf } from '../inbound/bodies.ts';

/** The JSON body of a request that the gateway answers itself. 415 for another type, 413 beyond `maxBytes`, 400 for no JSON. */
export async function jsonOf(req: Request, maxBytes: number): Promise<object> {
  if (req.is('application/json') === false) throw new HttpProblem(415, 'unsupported-media-type');
  return parseJson(bufferedBodyOf(req) ?? (await readBody(req, maxBytes)));
}

/** A text parsed as JSON; undefined where it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
