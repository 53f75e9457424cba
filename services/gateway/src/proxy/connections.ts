import { Pool } from 'undici';
import type { Patience } from './timeouts.ts';

/** Less than the 65 s after which our services close an idle connection (`@beltway/kit/serve`): so we close first, and no request is sent into a closing one. */
export const KEEP_ALIVE_MS = 30_000;

/** Kept connections to an instance, at most so many, without Node's own client in between. */
export const connectionsTo = (url: string, most: number, { connectMs, idleMs }: Patience): Pool =>
  new Pool(url, {
    connections: most,
    pipelining: 1,
    connect: { timeout: connectMs },
    headersTimeout: idleMs,
    bodyTimeout: idleMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
  });
