import { randomBytes } from 'node:crypto';

/** Creates a unique id for one run of an instance. It is not secret. */
export const newInstanceId = (): string => randomBytes(6).toString('hex');

/**
 * The id of this process. Its readiness response contains the id (`health.ts`), so that all processes know which
 * address belongs to which instance.
 */
export const instanceId = newInstanceId();
