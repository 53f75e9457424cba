import type { Request, Response } from 'express';
import { requestIdOf } from '@beltway/kit/app';
import { recordSecurity, type SecurityEvent } from '@beltway/kit/security-log';
import { addressOf } from '../throttle/addresses.ts';

/** Records a completed action in the security log: an action by an account or on an account. */
export const recordDone = (req: Request, res: Response, what: string, account: number, code?: string): void =>
  recordSecurity({ ...{ what, account, code, outcome: 'done' }, ...sentBy(req, res) });

export const sentBy = (req: Request, res: Response): Pick<SecurityEvent, 'from' | 'requestId'> => ({
  from: addressOf(req),
  requestId: requestIdOf(res),
});
