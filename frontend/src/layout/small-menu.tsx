import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useTexts } from '../lib/i18n/catalog.ts';
import { signInPath } from '../lib/navigation/return-path.ts';
import { useSession } from '../lib/session/session.ts';
import { Sheet } from '../ui/dialog.tsx';
import { Meta } from '../ui/meta.tsx';
import { useHasEvents, useIsAdmin, useIsBusiness, useSignOut } from './account.ts';
import { useOpenDialog } from './header-dialogs.tsx';
import { texts } from './texts.en.ts';
import { Waiting } from './waiting.tsx';

const row =
  'flex min-h-14 w-full items-center border-b border-line text-start font-display text-title font-strong tracking-tight';

/** The slide-in menu (frontend/PRODUCT.md#navigation). */
export function SmallMenu({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const { user } = useSession();
  const { pathname, search } = useLocation();
  const isBusiness = useIsBusiness();
  const hasEvents = useHasEvents();
  const isAdmin = useIsAdmin();
  const openDialog = useOpenDialog();
  const signOut = useSignOut();
  // The chosen page replaces the menu in the history, so Back leads to the page below it.
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
    <Sheet onClose={onClose} title={t('menu')}>
      {user && (
        <Meta className="mb-2">
          {t.rich('signedInAs', { name: () => <span className="font-strong text-ink">{user.name}</span> })}
        </Meta>
      )}
      <nav aria-label={t('menu')}>
        {goTo('/', t('feed'))}
        {goTo('/my-tickets', t('myTickets'))}
        {goTo('/saved', t('saved'))}
        {goTo('/community', t('community'))}
        {hasEvents && goTo('/dashboard', t('yourEvents'))}
        {isBusiness && doIt(t('dashboard'), () => openDialog('dashboard'))}
        {isBusiness &&
          goTo(
            '/admin',
            <>
              {t('adminRevenue')}
              <Waiting />
            </>,
          )}
        {doIt(t('launch'), () => openDialog('launch'))}
        {isAdmin && goTo('/contact-messages', t('contactMessages'))}
        {isAdmin && goTo('/reported-comments', t('reportedComments'))}
        {isAdmin && goTo('/admin/ads', t('ads'))}
        {doIt(t('contactUs'), () => openDialog('contact'))}
        {user && goTo('/account', t('account'))}
        {user ? doIt(t('signOutOfMenu'), signOut) : goTo(signInPath(pathname + search), t('signIn'))}
      </nav>
    </Sheet>
  );
}
