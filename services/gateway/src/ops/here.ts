import type { Request, Response } from 'express';
import { cameOverLoopback } from '@beltway/kit/this-machine';
import type { Config } from '../config.ts';

/**
 * True when a request comes from this machine itself: over loopback, from no proxy, to one of the machine's own names.
 * In embedded mode only: with real engines, what comes over loopback is a proxy on the same machine, and so anybody.
 */
export const fromHere =
  (config: Pick<Config, 'BELTWAY_MODE' | 'TRUSTED_HOPS'>) =>
  (req: Request, res: Response): boolean =>
    config.BELTWAY_MODE === 'embedded' &&
    config.TRUSTED_HOPS === 0 &&
    res.locals['direct'] === true &&
    cameOverLoopback(req);
