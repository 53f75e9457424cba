import WifiOff from 'lucide-react/icons/wifi-off';
import { Link, useLocation } from 'react-router-dom';
import { useTexts } from '../lib/i18n/catalog.ts';
import { useHasNetwork } from '../lib/browser/network.ts';
import { useSession } from '../lib/session/session.ts';
import { texts } from './texts.en.ts';

/** Shown below the header while the device has no network. Explains what still works. */
export function OfflineNotice() {
  const t = useTexts(texts);
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
              {[t('offline'), isElsewhere && t('offlineEvents')].filter(Boolean).join(' ')}
              {token && isElsewhere && (
                <Link to="/my-tickets" className="ms-[0.5ch] font-strong underline">
                  {t('offlineTickets')}
                </Link>
              )}
            </span>
          </span>
        </p>
      )}
    </div>
  );
}
