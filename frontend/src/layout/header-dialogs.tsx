import { createContext, Suspense, useCallback, useContext, useState, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { signInPath } from '../lib/return-path.ts';
import { useSession } from '../lib/session.ts';
import { lazily } from '../lib/lazily.ts';

const LaunchDialog = lazily(async () => (await import('../features/launch/launch-dialog.tsx')).LaunchDialog);
const DashboardDialog = lazily(
  async () => (await import('../features/dashboard/dashboard-dialog.tsx')).DashboardDialog,
);

type Opened = 'launch' | 'dashboard';
const OpenDialog = createContext<(dialog: Opened) => void>(() => undefined);

/** Opens one of the dialogs the header leads to; whoever is not signed in goes to /auth first. */
export const useOpenDialog = () => useContext(OpenDialog);

/** Holds the dialogs that any page may open. Their code is loaded when they are first wanted. */
export function HeaderDialogs({ children }: { children: ReactNode }) {
  const { token } = useSession();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [loaded, setLoaded] = useState<readonly Opened[]>([]);
  const open = useCallback(
    (dialog: Opened) => {
      if (!token) return void navigate(signInPath(pathname + search));
      setLoaded((before) => (before.includes(dialog) ? before : [...before, dialog]));
      setOpened(dialog);
    },
    [token, navigate, pathname, search],
  );
  const follow = (dialog: Opened) => ({
    open: opened === dialog,
    onOpenChange: (isOpen: boolean) => setOpened(isOpen ? dialog : null),
  });
  return (
    <OpenDialog value={open}>
      {children}
      <Suspense>
        {token && loaded.includes('launch') && <LaunchDialog {...follow('launch')} />}
        {token && loaded.includes('dashboard') && <DashboardDialog {...follow('dashboard')} />}
      </Suspense>
    </OpenDialog>
  );
}
