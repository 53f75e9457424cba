import type { Response } from 'express';

/**
 * Marks an answer as the same for everybody: the gateway keeps it for a second, and drops it when something happens to one of its tags
 * (docs/architecture.md#the-response-cache).
 */
export const sharedAnswer = (res: Response, tags: string): Response =>
  res.set({ 'Cache-Control': 'public, max-age=1', 'Cache-Tag': tags });
