import type { z } from 'zod';
import type { GateName } from './gates.ts';

/** The services behind the gateway. `live` is the only instance of media that ingests live streams, if there is one. */
export type Service = 'identity' | 'catalog' | 'ticketing' | 'payments' | 'media' | 'live' | 'realtime' | 'sandbox';

/** `optional`: guests may call it; a token, if sent, identifies the account. */
export type Access = 'public' | 'optional' | 'signed in' | 'admin';

/** The rate class in which the requests of an IP address are counted (`inbound/limits.ts`). */
export type RateClass =
  | 'sign-in'
  | 'upload'
  | 'buy'
  | 'write'
  | 'read'
  | 'document'
  | 'report'
  | 'feed'
  | 'client-error'
  | 'client-span';

/**
 * One public call. The call's service, rate limit, body limit, gate, compression, OPTIONS answer and OpenAPI entry
 * follow from this row. How to add a call: docs/how-to/add-a-call.md.
 */
export interface Route {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** The path in OpenAPI's syntax: `{name}` matches one segment. */
  path: string;
  /** The service that handles the call. `gateway`: the gateway itself. */
  service: Service | 'gateway';
  /** One sentence for the OpenAPI document. It begins with a verb in the imperative and has no final period. */
  summary: string;
  access: Access;
  /** The rate class, counted per IP address and minute. Default: `read` for a GET, otherwise `write`. */
  rate?: RateClass | 'none';
  /** The gate in which the call is counted, separately from other concurrent requests to the service (`gates.ts`). */
  gate?: GateName;
  /** Schema of the JSON body. */
  body?: z.ZodType;
  /** Name of the file in a multipart body, which replaces JSON. */
  upload?: string;
  /** Name of a second, optional file. */
  uploadMay?: string;
  /** Schema of the fields beside the file. */
  uploadFields?: z.ZodObject;
  /**
   * Maximum body size. It is slightly above the service's own limit, so that the service itself can report the exact
   * problem. Default 100 kB.
   */
  maxBytes?: number;
  answer?: z.ZodType;
  /** Media type of an answer that is not JSON. */
  file?: string;
  status?: 200 | 201 | 202 | 204 | 302;
  /** Who may cache the answer. Default: only the caller. Only public answers are compressed. */
  cache?: 'public';
  /** Whether other sites may show the answer in a frame. No other answer may be framed (`security.ts`). */
  isFramed?: true;
  /** For media: the call is handled by the only instance that ingests live streams, if there is one. */
  isLive?: true;
  /**
   * Statuses of problems specific to this call. Problems about the caller and the input are added. Every call may also
   * respond with 429 and 503.
   */
  problems?: number[];
  /** Optional headers that the call reads. */
  headers?: Array<'Idempotency-Key' | 'If-Match' | 'X-Order-Key' | 'X-Ad-Key' | 'X-Guest-Key'>;
  query?: Record<string, z.ZodType>;
}

/** Adds the service to the rows. */
export const answeredBy = (service: Route['service'], rows: Array<Omit<Route, 'service'>>): Route[] =>
  rows.map((row) => ({ ...row, service }));

/** A path prefix that belongs to one service: sockets, and mock servers and pages for the developer's machine. */
export interface Mount {
  prefix: string;
  service: Service;
  rate?: RateClass;
  /** The environment in which the mount exists. Not set: all environments. */
  only?: 'embedded' | 'sandbox';
}
