import { z } from 'zod';
import { optionalField } from '../common/basics.ts';
import { fault } from '../problems/fault.ts';

/** POST /api/client-errors: an unexpected error of the frontend, reported by the browser. */
export const ClientErrorReport = z.strictObject({
  message: z.string().max(500),
  stack: optionalField(z.string().max(4_000)),
  /** Path of the page. The query is removed because it may contain a key. */
  path: z
    .string()
    .max(200)
    .regex(/^\/[^?#]*$/, fault('invalid.page-path')),
  /** Version of the frontend's build. */
  release: optionalField(z.string().max(64)),
});
export type ClientErrorReport = z.infer<typeof ClientErrorReport>;

/** Size of the largest report as JSON, with each character escaped to six bytes. */
export const MAX_REPORT_BYTES = 32 * 1_024;
