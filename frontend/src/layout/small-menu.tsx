import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { signInPath } from '../lib/return-path.ts';
import { useSession } from '../lib/session.ts';
import { Sheet } from '../ui/dialog.tsx';
import { useIsAdmin, useIsBusiness, useSignOut } from './account.ts';
import { useOpenDialog } from './header-dialogs.tsx';

const row =
  'flex min-h-14 w-full items-center border-b border-line text-left font-display text-title font-strong tracking-tight';

/** The slide-in menu (docs/product.md#navigation). */
export function SmallMenu({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const { user } = useSession();
  const { pathname, search } = useLocation();
  const isBusiness = useIsBusiness();
  const isAdmin = useIsAdmin();
  const openDialog = useOpenDialog();
  const signOut = useSignOut();
  // What is chosen takes the menu's place in the history: Back leads to the page below it.
  const goTo = (to: string, label: ReactNode) => (
    <Link to={to} replace className={row}>
      {label}
    </Link>
  );
  const doIt = (label: string, action: () => void) => (
    <button type="button" className={row} onClick={action}>
      {label}
    </button>
  );
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title="Menu">
      {user && (
        <p className="mb-2 text-note text-ink-soft">
          Signed in as <span className="font-strong text-ink">{user.name}</span>
        </p>
      )}
      <nav aria-label="Menu">
        {goTo('/', 'Feed')}
        {goTo('/my-tickets', 'My Tickets')}
        {goTo('/saved', 'Saved')}
        {goTo('/community', 'Community')}
        {isBusiness && doIt('Dashboard', () => openDialog('dashboard'))}
        {isBusiness && goTo('/admin', 'Admin Revenue')}
        {doIt('Launch My Event', () => openDialog('launch'))}
        {isAdmin && goTo('/contact-messages', 'Contact messages')}
        {isAdmin && goTo('/reported-comments', 'Reported comments')}
        {isAdmin && goTo('/admin/ads', 'Ads')}
        {doIt('Contact Us', () => openDialog('contact'))}
        {user && goTo('/account', 'Account')}
        {user ? doIt('Sign Out', signOut) : goTo(signInPath(pathname + search), 'Sign in')}
      </nav>
    </Sheet>
  );
}
