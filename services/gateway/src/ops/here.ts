import type { Request, Response } from 'express';
import type { Config } from '../config.ts';

const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;
const OWN_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * True when a request comes from this machine itself: over loopback, from no proxy, to one of the machine's own names (another
 * name means that a page elsewhere had its address pointed here). In embedded mode only: with real engines, what comes over
 * loopback is a proxy on the same machine, and so anybody.
 */
export const fromHere =
  (config: Pick<Config, 'BELTWAY_MODE' | 'TRUSTED_HOPS'>) =>
  (req: Request, res: Response): boolean =>
    config.BELTWAY_MODE === 'embedded' &&
    config.TRUSTED_HOPS === 0 &&
    res.locals['direct'] === true &&
    LOOPBACK.test(req.socket.remoteAddress ?? '') &&
    OWN_NAMES.has((req.headers.host ?? '').replace(/:\d+$/, '').toLowerCase());
