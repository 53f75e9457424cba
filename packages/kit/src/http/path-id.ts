import type { Request } from 'express';
import { IdText } from '@beltway/contracts/common/basics';
import { notFound } from './problems.ts';

/** The number in a path; anything else names nothing: 404 for `what`, such as "This post". */
export function pathId(req: Pick<Request, 'params'>, parameter: string, what: string): number {
  const id = IdText.safeParse(req.params[parameter]);
  if (!id.success) throw notFound(what);
  return id.data;
}
