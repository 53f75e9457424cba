import { z } from 'zod';

/** GET /health/status of an instance: what it is, and how far it is behind. No route of the gateway's leads there. */
export const InstanceStatus = z.object({
  service: z.string(),
  /** Of the build; null where it was not said. */
  version: z.string().nullable(),
  commit: z.string().nullable(),
  startedAt: z.iso.datetime(),
  uptimeSeconds: z.int(),
  ready: z.boolean(),
  /** Parts that do not answer, each with the reason. Those that can wait leave the instance ready. */
  failed: z.record(z.string(), z.string()),
  /** Followers of its log (relay, mail): events not handled yet, and how long the first of them waits. Null: its database did not say. */
  followers: z.array(z.object({ name: z.string(), events: z.int().nullable(), seconds: z.number().nullable() })),
  /** Its consumer groups: messages not handled yet, all topics together. Null: the bus did not say. */
  groups: z.array(z.object({ group: z.string(), messages: z.int().nullable() })),
});
export type InstanceStatus = z.infer<typeof InstanceStatus>;

/** An instance as the gateway finds it; `status` null: it did not answer, and `problem` says how. */
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
