import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import type { Context } from '@beltway/event-store';
import { requestIdOf } from '@beltway/kit/app';
import { callerOf } from '@beltway/kit/auth';

/** The context of a request's command. The rules make repeated commands harmless, so each command gets a new id. */
export const commandFrom = (req: Request): Context => ({
  commandId: randomUUID(),
  userId: callerOf(req).id,
  correlationId: req.res ? requestIdOf(req.res) : randomUUID(),
});
