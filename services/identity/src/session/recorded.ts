import type { Request, Response } from 'express';
import { requestIdOf } from '@beltway/kit/app';
import { recordSecurity, type SecurityEvent } from '@beltway/kit/security-log';
import { addressOf } from '../throttle/addresses.ts';

/** Records for the security log what an account did, or what was done to it. */
export const recordDone = (req: Request, res: Response, what: string, account: number, code?: string): void =>
  recordSecurity({ ...{ what, account, code, outcome: 'done' }, ...sentBy(req, res) });

export const sentBy = (req: Request, res: Response): Pick<SecurityEvent, 'from' | 'requestId'> => ({
  from: addressOf(req),
  requestId: requestIdOf(res),
});
