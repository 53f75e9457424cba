import { randomBytes } from 'node:crypto';

/** A name for one run of an instance, which nobody else has; it may be shown to anybody. */
export const newInstanceId = (): string => randomBytes(6).toString('hex');

/** Of this process. Its readiness tells it (`health.ts`): so others, and it itself, know which address is whose. */
export const instanceId = newInstanceId();
