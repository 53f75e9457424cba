import type { z } from 'zod';
import type { GateName } from './gates.ts';

/** The services behind the gateway. `live`: the instance of media that alone takes live streams in, where there is such a one. */
export type Service = 'identity' | 'catalog' | 'ticketing' | 'payments' | 'media' | 'live' | 'realtime' | 'sandbox';

/** `optional`: guests may, and a token makes it theirs. */
export type Access = 'public' | 'optional' | 'signed in' | 'admin';

/** What the requests of an address are counted as (`inbound/limits.ts`). */
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
 * One public call, and all that the gateway knows of it: whom it is handed to, its rate limit, the bound of its body,
 * its gate, whether it is compressed, what OPTIONS answers and what the OpenAPI document says follow from it. How to
 * add one: docs/how-to/add-a-call.md.
 */
export interface Route {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As in OpenAPI: `{name}` stands for one segment. */
  path: string;
  /** Who answers it; `gateway`: it does so itself. */
  service: Service | 'gateway';
  summary: string;
  access: Access;
  /** What an address and minute is counted by. Default: `read` for a GET, else `write`. */
  rate?: RateClass | 'none';
  /** Counted apart from other requests that are under way to the service (`gates.ts`). */
  gate?: GateName;
  /** JSON body. */
  body?: z.ZodType;
  /** The file of a multipart body, in place of JSON. */
  upload?: string;
  /** Another file that it may have. */
  uploadMay?: string;
  /** The fields beside it. */
  uploadFields?: z.ZodObject;
  /** Largest body, a little above what the service takes, so that the exact answer is its own. Default 100 kB. */
  maxBytes?: number;
  answer?: z.ZodType;
  /** Media type of an answer that is not JSON. */
  file?: string;
  status?: 200 | 201 | 202 | 204 | 302;
  /** Who may keep the answer. Default: nobody but its reader. Only what is public is compressed. */
  cache?: 'public';
  /** A page that other sites may show in a frame of theirs; nothing else may be (`security.ts`). */
  isFramed?: true;
  /** Of media: answered by the instance that alone takes live streams in, where there is such a one. */
  isLive?: true;
  /** Refusals of its own; those of who calls and of what is sent are added, and 429 and 503 may come of every call. */
  problems?: number[];
  /** Optional headers it reads. */
  headers?: Array<'Idempotency-Key' | 'If-Match' | 'X-Order-Key' | 'X-Ad-Key' | 'X-Guest-Key'>;
  query?: Record<string, z.ZodType>;
}

/** Rows of one service. */
export const answeredBy = (service: Route['service'], rows: Array<Omit<Route, 'service'>>): Route[] =>
  rows.map((row) => ({ ...row, service }));

/** A path below which everything is one service's: sockets, and servers and pages for one's own machine. */
export interface Mount {
  prefix: string;
  service: Service;
  rate?: RateClass;
  /** Where it is; not set: everywhere. */
  only?: 'embedded' | 'sandbox';
}
