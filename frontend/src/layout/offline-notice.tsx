import { WifiOff } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';
import { useHasNetwork } from '../lib/network.ts';
import { useSession } from '../lib/session.ts';

/** Below the header while the device has no network: what still works. */
export function OfflineNotice() {
  const hasNetwork = useHasNetwork();
  const { token } = useSession();
  const { pathname } = useLocation();
  const isElsewhere = pathname !== '/my-tickets';
  return (
    <div role="status">
      {!hasNetwork && (
        <p className="border-b border-line bg-sunken">
          <span className="page flex min-h-11 items-center gap-2.5 py-2 text-note">
            <WifiOff aria-hidden className="size-4 shrink-0" />
            <span>
              You are offline.
              {isElsewhere && ' Events and prices are shown again when there is a network.'}
              {token && isElsewhere && (
                <>
                  {' '}
                  <Link to="/my-tickets" className="font-strong underline">
                    Your tickets open without it
                  </Link>
                </>
              )}
            </span>
          </span>
        </p>
      )}
    </div>
  );
}
