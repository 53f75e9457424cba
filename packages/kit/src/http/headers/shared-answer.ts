import type { Response } from 'express';

/**
 * Marks a response as identical for all users. The gateway caches it for a second and purges it when one of its tags
 * changes (docs/architecture.md#the-response-cache).
 */
export const sharedAnswer = (res: Response, tags: string): Response =>
  res.set({ 'Cache-Control': 'public, max-age=1', 'Cache-Tag': tags });
