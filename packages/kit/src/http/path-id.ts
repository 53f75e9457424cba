import type { Request } from 'express';
import { IdText } from '@beltway/contracts/common/basics';
import { notFound, type Named } from './problems.ts';

/** The number in a path. Throws 404 for `what`, such as `post`, if it is not a valid id. */
export function pathId(req: Pick<Request, 'params'>, parameter: string, what: Named): number {
  const id = IdText.safeParse(req.params[parameter]);
  if (!id.success) throw notFound(what);
  return id.data;
}
