import LogOut from 'lucide-react/icons/log-out';
import MenuIcon from 'lucide-react/icons/menu';
import Moon from 'lucide-react/icons/moon';
import Plus from 'lucide-react/icons/plus';
import Sun from 'lucide-react/icons/sun';
import { Suspense, type ReactNode } from 'react';
import { NavLink, useLocation } from 'react-router-dom';
import { useTexts } from '../lib/i18n/catalog.ts';
import { useDialogEntry } from '../lib/navigation/dialog-entry.ts';
import { signInPath } from '../lib/navigation/return-path.ts';
import { useSession } from '../lib/session/session.ts';
import { useTheme } from '../lib/browser/theme.ts';
import { Button, ButtonLink, IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { Tooltip } from '../ui/tooltip.tsx';
import { useHasEvents, useIsAdmin, useIsBusiness, useSignOut } from './account.ts';
import { isCheckout } from './checkouts.ts';
import { HeaderBar } from './frame.tsx';
import { useOpenDialog } from './header-dialogs.tsx';
import { texts } from './texts.en.ts';
import { lazily, nothing } from '../lib/loading/lazily.ts';
import { Waiting } from './waiting.tsx';

// Loaded lazily. The layout reserves the bell's space, so nothing beside it moves.
const Bell = lazily(async () => (await import('../features/notifications/bell.tsx')).Bell, nothing);
const Back = lazily(async () => (await import('./back.tsx')).Back, nothing);
const SmallMenu = lazily(async () => (await import('./small-menu.tsx')).SmallMenu);

/** Shows only the brand and Back in a checkout, and the whole menu elsewhere. */
export function Header() {
  const { pathname } = useLocation();
  return isCheckout(pathname) ? (
    <HeaderBar>
      <Suspense>
        <Back />
      </Suspense>
    </HeaderBar>
  ) : (
    <WholeHeader />
  );
}

/**
 * Wide screens show all links, and medium screens show Feed and Tickets. Small screens have a slide-in menu and the
 * bottom bar.
 */
function WholeHeader() {
  const t = useTexts(texts);
  const { token } = useSession();
  const { pathname, search } = useLocation();
  const isBusiness = useIsBusiness();
  // For an admin, the number of waiting items takes the space of a link.
  const isAdmin = useIsAdmin();
  const hasEvents = useHasEvents();
  const openDialog = useOpenDialog();
  const signOut = useSignOut();
  const [menuOpen, setMenuOpen] = useDialogEntry('menu');
  return (
    <>
      <HeaderBar>
        <nav aria-label={t('mainMenu')} className="hidden items-center md:flex">
          <HeaderLink to="/">{t('feed')}</HeaderLink>
          <HeaderLink to="/my-tickets">
            {t.rich('headerTickets', { wide: (words) => <span className="hidden lg:inline">{words}</span> })}
          </HeaderLink>
          <HeaderLink to="/saved" className="max-lg:hidden">
            {t('saved')}
          </HeaderLink>
          <HeaderLink to="/community" className={isAdmin ? 'max-[85rem]:hidden' : 'max-xl:hidden'}>
            {t('community')}
          </HeaderLink>
          {/* Business accounts and admins have the Dashboard instead, and this link in the menus. */}
          {hasEvents && !isBusiness && (
            <HeaderLink to="/dashboard" className="max-lg:hidden">
              {t('yourEvents')}
            </HeaderLink>
          )}
          {isBusiness && (
            <HeaderLink to="/admin" className="max-lg:hidden">
              {t.rich('headerRevenue', { wide: (words) => <span className="hidden xl:inline">{words}</span> })}
              <Waiting />
            </HeaderLink>
          )}
        </nav>
        <div className="ms-auto flex items-center gap-1.5 max-[15rem]:gap-0">
          {isBusiness && (
            <Button variant="quiet" className="max-lg:hidden" onClick={() => openDialog('dashboard')}>
              {t('dashboard')}
            </Button>
          )}
          <Button variant="secondary" className="max-lg:hidden" onClick={() => openDialog('launch')}>
            <Plus aria-hidden className="size-4" />
            {t('launch')}
          </Button>
          <ThemeSwitch />
          {token && (
            <Suspense fallback={<span className="size-11" />}>
              <Bell />
            </Suspense>
          )}
          {token ? (
            <>
              <Button
                variant="quiet"
                className={cx('px-4', isAdmin ? 'max-[85rem]:hidden' : 'max-xl:hidden')}
                onClick={signOut}
              >
                {t('signOut')}
              </Button>
              <Tooltip text={t('signOut')}>
                <IconButton
                  label={t('signOut')}
                  className={cx('max-md:hidden', isAdmin ? 'min-[85rem]:hidden' : 'xl:hidden')}
                  onClick={signOut}
                >
                  <LogOut aria-hidden />
                </IconButton>
              </Tooltip>
            </>
          ) : (
            pathname !== '/auth' && (
              <ButtonLink
                variant="quiet"
                to={signInPath(pathname + search)}
                className="whitespace-nowrap px-4 max-[22rem]:px-2 max-[15rem]:hidden"
              >
                {t('signIn')}
              </ButtonLink>
            )
          )}
          <IconButton
            label={t('openMenu')}
            className="-me-2 lg:hidden"
            aria-haspopup="dialog"
            onClick={() => setMenuOpen(true)}
          >
            <MenuIcon aria-hidden />
          </IconButton>
        </div>
      </HeaderBar>
      <Suspense>{menuOpen && <SmallMenu onClose={() => setMenuOpen(false)} />}</Suspense>
    </>
  );
}

const HeaderLink = ({ to, className, children }: { to: string; className?: string; children: ReactNode }) => (
  <NavLink
    to={to}
    // The community has several pages, so its link is active on all paths below `/community`.
    end={to !== '/community'}
    className={({ isActive }) =>
      cx(
        'relative inline-flex min-h-11 items-center px-3.5 font-strong transition-colors duration-(--duration-fast) hover:text-ink',
        isActive
          ? 'text-ink after:absolute after:inset-x-3.5 after:-bottom-2.5 after:h-1 after:bg-accent'
          : 'text-ink-soft',
        className,
      )
    }
  >
    {children}
  </NavLink>
);

function ThemeSwitch() {
  const t = useTexts(texts);
  const [theme, setTheme] = useTheme();
  const label = theme === 'dark' ? t('toLight') : t('toDark');
  return (
    <Tooltip text={label}>
      <IconButton label={label} onClick={() => setTheme(theme === 'dark' ? 'light' : 'dark')}>
        {theme === 'dark' ? <Sun aria-hidden /> : <Moon aria-hidden />}
      </IconButton>
    </Tooltip>
  );
}
