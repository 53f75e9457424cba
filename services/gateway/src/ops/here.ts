import type { Request, Response } from 'express';
import { cameOverLoopback } from '@beltway/kit/this-machine';
import type { Config } from '../config.ts';

/**
 * True when a request comes from this machine itself: over loopback, without a proxy, to one of the machine's own
 * names. Used in embedded mode only: with real engines, a loopback connection comes from a proxy on the same machine,
 * so any client may have sent the request.
 */
export const fromHere =
  (config: Pick<Config, 'BELTWAY_MODE' | 'TRUSTED_HOPS'>) =>
  (req: Request, res: Response): boolean =>
    config.BELTWAY_MODE === 'embedded' &&
    config.TRUSTED_HOPS === 0 &&
    res.locals['direct'] === true &&
    cameOverLoopback(req);
