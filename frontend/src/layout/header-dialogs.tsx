import { createContext, Suspense, useCallback, useContext, useEffect, useState, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { DIALOG_ENTRY, useDialogEntry } from '../lib/dialog-entry.ts';
import { lazily } from '../lib/lazily.ts';
import { signInPath } from '../lib/return-path.ts';
import { useSession } from '../lib/session.ts';

const LaunchDialog = lazily(async () => (await import('../features/launch/launch-dialog.tsx')).LaunchDialog);
const DashboardDialog = lazily(
  async () => (await import('../features/dashboard/dashboard-dialog.tsx')).DashboardDialog,
);

type Opened = 'launch' | 'dashboard';
const OpenDialog = createContext<(dialog: Opened) => void>(() => undefined);

/** Opens one of the dialogs the header leads to; whoever is not signed in goes to /auth first, and to the dialog from there. */
export const useOpenDialog = () => useContext(OpenDialog);

/** Holds the dialogs that any page may open, as `#launch` and `#dashboard`. Their code is loaded when they are first wanted. */
export function HeaderDialogs({ children }: { children: ReactNode }) {
  const { token } = useSession();
  const navigate = useNavigate();
  const { pathname, search, state } = useLocation();
  const [launching, setLaunching] = useDialogEntry('launch');
  const [looking, setLooking] = useDialogEntry('dashboard');
  const [loaded, setLoaded] = useState<readonly Opened[]>([]);
  const wanted: Opened | null = launching ? 'launch' : looking ? 'dashboard' : null;
  if (wanted && !loaded.includes(wanted)) setLoaded([...loaded, wanted]);

  // A link to a dialog, or a session that ended below it.
  const isShut = wanted !== null && token === null;
  useEffect(() => {
    if (isShut && window.location.pathname === pathname)
      void navigate(signInPath(`${pathname}${search}#${wanted}`), { replace: true, state });
  }, [isShut, wanted, pathname, search, state, navigate]);

  const open = useCallback(
    (dialog: Opened) => {
      if (!token) return void navigate(signInPath(`${pathname}${search}#${dialog}`), { state: DIALOG_ENTRY });
      (dialog === 'launch' ? setLaunching : setLooking)(true);
    },
    [token, navigate, pathname, search, setLaunching, setLooking],
  );
  return (
    <OpenDialog value={open}>
      {children}
      <Suspense>
        {token && loaded.includes('launch') && <LaunchDialog open={launching} onOpenChange={setLaunching} />}
        {token && loaded.includes('dashboard') && <DashboardDialog open={looking} onOpenChange={setLooking} />}
      </Suspense>
    </OpenDialog>
  );
}
