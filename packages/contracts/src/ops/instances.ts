import { z } from 'zod';

/** GET /health/status of an instance: its identity and its lag. The gateway has no public route to it. */
export const InstanceStatus = z.object({
  service: z.string(),
  /** The build's version; null: unknown. */
  version: z.string().nullable(),
  commit: z.string().nullable(),
  startedAt: z.iso.datetime(),
  uptimeSeconds: z.int(),
  ready: z.boolean(),
  /**
   * Dependencies that do not respond, each with the reason. If an optional dependency fails, the instance stays ready.
   */
  failed: z.record(z.string(), z.string()),
  /**
   * Followers of the service's log (relay, mail): unhandled events, and how long the oldest one has waited. null: the
   * service's database did not respond.
   */
  followers: z.array(z.object({ name: z.string(), events: z.int().nullable(), seconds: z.number().nullable() })),
  /** The service's consumer groups: unhandled messages of all topics. null: the bus did not respond. */
  groups: z.array(z.object({ group: z.string(), messages: z.int().nullable() })),
});
export type InstanceStatus = z.infer<typeof InstanceStatus>;

/** An instance that the gateway found. `status` is null if it did not respond; then `problem` has the reason. */
export const InstanceFound = z.object({
  /** Host and port. */
  address: z.string(),
  status: InstanceStatus.nullable(),
  problem: z.string().nullable(),
});
export type InstanceFound = z.infer<typeof InstanceFound>;

/** GET /api/ops/services */
export const OpsServices = z.object({
  at: z.iso.datetime(),
  services: z.array(z.object({ service: z.string(), instances: z.array(InstanceFound) })),
});
export type OpsServices = z.infer<typeof OpsServices>;
