import type { z } from 'zod';

/** `optional`: guests may, and a token makes it theirs. */
export type Access = 'public' | 'optional' | 'signed in' | 'admin';

/** One public call, as the document tells of it. */
export interface Call {
  method: 'get' | 'post' | 'patch' | 'delete';
  path: string;
  summary: string;
  access: Access;
  body?: z.ZodType;
  /** The file of a multipart body, in place of JSON. */
  upload?: string;
  answer?: z.ZodType;
  /** Media type of an answer that is not JSON. */
  file?: string;
  status?: 200 | 201 | 204;
  /** Refusals of its own; those of who calls and of what is sent are added, and 429 and 503 may come of every call. */
  problems?: number[];
  /** Optional headers it reads. */
  headers?: Array<'Idempotency-Key' | 'If-Match' | 'X-Order-Key'>;
  query?: Record<string, z.ZodType>;
}
