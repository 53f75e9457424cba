import { FlaggedReferrals, ReferralsPage } from '@beltway/contracts/identity/referrals';
import { pagesQuery } from '../../lib/http/pages.ts';

/** GET /api/referrals, page after page: the account's code and link, and its referrals. */
export const referralsQuery = () => pagesQuery(ReferralsPage, '/api/referrals');

/** GET /api/referrals/flagged, page after page, for admins. */
export const flaggedQuery = () => pagesQuery(FlaggedReferrals, '/api/referrals/flagged');
