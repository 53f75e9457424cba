import type { Request } from 'express';
import { UNMATCHED } from '../observe/metrics.ts';

/** The pattern by which a request found its handler, `/api/events/:id`; no router of ours is mounted below a pattern. */
export const routeOf = ({ route }: Request): string => {
  const path = (route as { path?: unknown } | undefined)?.path;
  return path === undefined ? UNMATCHED : String(path);
};
