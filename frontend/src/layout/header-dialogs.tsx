import type { Event } from '@beltway/contracts/catalog/events';
import { createContext, Suspense, useCallback, useContext, useEffect, useState, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { DIALOG_ENTRY, useDialogEntry } from '../lib/navigation/dialog-entry.ts';
import { lazily } from '../lib/loading/lazily.ts';
import { signInPath } from '../lib/navigation/return-path.ts';
import { useSession } from '../lib/session/session.ts';

const LaunchDialog = lazily(async () => (await import('../features/launch/launch-dialog.tsx')).LaunchDialog);
const DuplicateDialog = lazily(async () => (await import('../features/launch/duplicate-dialog.tsx')).DuplicateDialog);
const EventPreview = lazily(async () => (await import('./event-preview.tsx')).EventPreview);
const ContactDialog = lazily(async () => (await import('../features/contact/contact-dialog.tsx')).ContactDialog);
const PromoteDialog = lazily(async () => (await import('../features/promotion/promote-dialog.tsx')).PromoteDialog);
const DashboardDialog = lazily(
  async () => (await import('../features/dashboard/dashboard-dialog.tsx')).DashboardDialog,
);

const previewed = (event: Event) => (
  <Suspense>
    <EventPreview event={event} />
  </Suspense>
);

type Opened = 'launch' | 'dashboard' | 'contact';
const OpenDialog = createContext<(dialog: Opened) => void>(() => undefined);

/** Opens a global dialog. All dialogs except contact need a session, so visitors sign in at /auth first. */
export const useOpenDialog = () => useContext(OpenDialog);

/**
 * Contains the dialogs that any page may open: `#launch`, `#duplicate-7`, `#promote-7`, `#dashboard` and `#contact`.
 * Their code is loaded on first use.
 */
export function HeaderDialogs({ children }: { children: ReactNode }) {
  const { token } = useSession();
  const navigate = useNavigate();
  const { pathname, search, hash, state } = useLocation();
  const copied = /^#duplicate-([1-9]\d{0,9})$/.exec(hash)?.[1];
  const promoted = /^#promote-([1-9]\d{0,9})$/.exec(hash)?.[1];
  const [launching, setLaunching] = useDialogEntry('launch');
  const [looking, setLooking] = useDialogEntry('dashboard');
  const [copying, setCopying] = useDialogEntry(`duplicate-${copied}`);
  const [promoting, setPromoting] = useDialogEntry(`promote-${promoted}`);
  const [writing, setWriting] = useDialogEntry('contact');
  const [isLaunchLoaded, setLaunchLoaded] = useState(false);
  if (launching && !isLaunchLoaded) setLaunchLoaded(true);
  const wanted: Opened | null = launching ? 'launch' : looking ? 'dashboard' : writing ? 'contact' : null;

  // A link opened the dialog without a session, or the session ended while the dialog was open.
  const address = copied ? `duplicate-${copied}` : promoted ? `promote-${promoted}` : wanted;
  const isShut = address !== null && address !== 'contact' && token === null;
  useEffect(() => {
    if (isShut && window.location.pathname === pathname)
      void navigate(signInPath(`${pathname}${search}#${address}`), { replace: true, state });
  }, [isShut, address, pathname, search, state, navigate]);

  const open = useCallback(
    (dialog: Opened) => {
      if (dialog === 'contact') return setWriting(true);
      if (!token) return void navigate(signInPath(`${pathname}${search}#${dialog}`), { state: DIALOG_ENTRY });
      (dialog === 'launch' ? setLaunching : setLooking)(true);
    },
    [token, navigate, pathname, search, setLaunching, setLooking, setWriting],
  );
  return (
    <OpenDialog value={open}>
      {children}
      <Suspense>
        {writing && <ContactDialog onClose={() => setWriting(false)} />}
        {token && copying && (
          <DuplicateDialog eventId={Number(copied)} onClose={() => setCopying(false)} preview={previewed} />
        )}
        {token && promoting && <PromoteDialog eventId={Number(promoted)} onClose={() => setPromoting(false)} />}
        {/* Stays mounted when closed, so that a photo too large for the draft is not lost. */}
        {token && isLaunchLoaded && (
          <LaunchDialog open={launching} onClose={() => setLaunching(false)} preview={previewed} />
        )}
        {token && looking && <DashboardDialog onClose={() => setLooking(false)} onLaunch={() => setLaunching(true)} />}
      </Suspense>
    </OpenDialog>
  );
}
