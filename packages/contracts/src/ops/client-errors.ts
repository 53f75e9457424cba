import { z } from 'zod';
import { optionalField } from '../common/basics.ts';
import { fault } from '../problems/fault.ts';

/** POST /api/client-errors: an error that the page did not expect, as the browser tells of it. */
export const ClientErrorReport = z.strictObject({
  message: z.string().max(500),
  stack: optionalField(z.string().max(4_000)),
  /** Of the page where it happened, without its query: there may be a key in it. */
  path: z
    .string()
    .max(200)
    .regex(/^\/[^?#]*$/, fault('invalid.page-path')),
  /** Which build of the page. */
  release: optionalField(z.string().max(64)),
});
export type ClientErrorReport = z.infer<typeof ClientErrorReport>;

/** The longest report as JSON, each character escaped as six bytes. */
export const MAX_REPORT_BYTES = 32 * 1_024;
