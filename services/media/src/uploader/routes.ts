import { Router } from 'express';
import { IdText } from '@beltway/contracts/common/basics';
import { AskVerificationBody, DecideVerificationBody } from '@beltway/contracts/media/gallery';
import { callerOf, type Authenticator } from '@beltway/kit/auth';
import { forbidden } from '@beltway/kit/problems';
import type { Pool } from 'pg';
import { excluded } from '@beltway/kit/kysely';
import { kysely } from '../db.ts';
import { uploadRights, verificationRequests } from './rights.ts';
import type { Uploaders } from './stream.ts';
import { commandFrom } from '../item/command.ts';

export interface UploaderRoutesDeps {
  pool: Pool;
  uploaders: Uploaders;
  auth: Pick<Authenticator, 'signedIn' | 'role'>;
  clock: () => Date;
}

/**
 * Get Verified (services/media/PRODUCT.md#gallery): what an account may upload, and the verification request of a
 * business.
 */
export function uploaderRoutes({ pool, uploaders, auth, clock }: UploaderRoutesDeps): Router {
  const router = Router();

  router.get('/api/gallery/verification', auth.signedIn, async (req, res) => {
    res.json(await uploadRights(pool, callerOf(req), clock()));
  });

  router.post('/api/gallery/verification', auth.signedIn, async (req, res) => {
    const caller = callerOf(req);
    if (caller.role !== 'business') throw forbidden('business');
    const { businessName, about } = AskVerificationBody.parse(req.body);
    // Stored first, so that each request has its description.
    await kysely(pool)
      .insertInto('uploaderRequests')
      .values({ userId: caller.id, businessName, about })
      .onConflict((conflict) => conflict.column('userId').doUpdateSet((eb) => excluded(eb, ['businessName', 'about'])))
      .execute();
    await uploaders.handle(caller.id, { type: 'AskVerification', userId: caller.id }, commandFrom(req));
    res.json(await uploadRights(pool, caller, clock()));
  });

  router.get('/api/gallery/verifications', auth.role('admin'), async (_req, res) => {
    res.json(await verificationRequests(pool));
  });

  router.post('/api/gallery/verifications/:id', auth.role('admin'), async (req, res) => {
    const { action } = DecideVerificationBody.parse(req.body);
    const type = action === 'verify' ? 'GrantVerification' : 'DeclineVerification';
    await uploaders.handle(IdText.parse(req.params['id']), { type }, commandFrom(req));
    res.status(204).end();
  });

  return router;
}
