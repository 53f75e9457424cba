import type { Request } from 'express';
import { IdText } from '@beltway/contracts/common/basics';
import { notFound, type Named } from './problems.ts';

/** The number in a path; anything else names nothing: 404 for `what`, such as `post`. */
export function pathId(req: Pick<Request, 'params'>, parameter: string, what: Named): number {
  const id = IdText.safeParse(req.params[parameter]);
  if (!id.success) throw notFound(what);
  return id.data;
}
