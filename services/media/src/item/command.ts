import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import type { Context } from '@beltway/event-store';
import { requestIdOf } from '@beltway/kit/app';
import { callerOf } from '@beltway/kit/auth';

/** What a command of this request carries. The rules make a repeat harmless, so each has an id of its own. */
export const commandFrom = (req: Request): Context => ({
  commandId: randomUUID(),
  userId: callerOf(req).id,
  correlationId: req.res ? requestIdOf(req.res) : randomUUID(),
});
