import { Suspense } from 'react';
import { lazily, nothing } from '../lib/loading/lazily.ts';
import { useIsAdmin } from './account.ts';

const WaitingBadge = lazily(async () => (await import('./waiting-badge.tsx')).WaitingBadge, nothing);

/** The badge with the number of waiting items. Its code is loaded only for admins. */
export function Waiting() {
  return useIsAdmin() ? (
    <Suspense>
      <WaitingBadge />
    </Suspense>
  ) : null;
}
