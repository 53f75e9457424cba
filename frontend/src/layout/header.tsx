import { LogOut, Menu as MenuIcon, Moon, Plus, Sun } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { Link, NavLink, useLocation } from 'react-router-dom';
import { useDialogEntry } from '../lib/dialog-entry.ts';
import { signInPath } from '../lib/return-path.ts';
import { useSession } from '../lib/session.ts';
import { useTheme } from '../lib/theme.ts';
import { Button, ButtonLink, IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { Mark } from '../ui/mark.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { useIsBusiness, useSignOut } from './account.ts';
import { useOpenDialog } from './header-dialogs.tsx';
import { lazily, nothing } from '../lib/lazily.ts';

// Its place is kept: what is beside it does not move.
const Bell = lazily(async () => (await import('../features/notifications/bell.tsx')).Bell, nothing);
const SmallMenu = lazily(async () => (await import('./small-menu.tsx')).SmallMenu);

/** Wide: everything. Medium: Feed and Tickets. Small: a menu that slides in, and the bar at the bottom. */
export function Header() {
  const { token } = useSession();
  const { pathname, search } = useLocation();
  const isBusiness = useIsBusiness();
  const openDialog = useOpenDialog();
  const signOut = useSignOut();
  const [menuOpen, setMenuOpen] = useDialogEntry('menu');
  const [menuLoaded, setMenuLoaded] = useState(false);
  if (menuOpen && !menuLoaded) setMenuLoaded(true);
  return (
    <header className="print:hidden sticky top-0 z-30 border-b border-line bg-ground">
      <div className="page flex h-16 items-center gap-2">
        <Link
          to="/"
          className="mr-3 flex min-h-11 items-center gap-2 font-display max-[22rem]:mr-0 text-title font-strong tracking-tight"
        >
          <Mark className="size-7 text-accent-ink" />
          <span className="max-[15rem]:sr-only">Beltway</span>
        </Link>
        <nav aria-label="Main" className="hidden items-center md:flex">
          <HeaderLink to="/">Feed</HeaderLink>
          <HeaderLink to="/my-tickets">
            <span className="hidden lg:inline">My&nbsp;</span>Tickets
          </HeaderLink>
          <HeaderLink to="/saved" className="max-lg:hidden">
            Saved
          </HeaderLink>
          <HeaderLink to="/community" className="max-xl:hidden">
            Community
          </HeaderLink>
          {isBusiness && (
            <HeaderLink to="/admin" className="max-lg:hidden">
              <span className="hidden xl:inline">Admin&nbsp;</span>Revenue
            </HeaderLink>
          )}
        </nav>
        <div className="ml-auto flex items-center gap-1.5 max-[15rem]:gap-0">
          {isBusiness && (
            <Button variant="quiet" className="max-lg:hidden" onClick={() => openDialog('dashboard')}>
              Dashboard
            </Button>
          )}
          <Button variant="secondary" className="max-lg:hidden" onClick={() => openDialog('launch')}>
            <Plus aria-hidden className="size-4" />
            Launch My Event
          </Button>
          <ThemeSwitch />
          {token && (
            <Suspense fallback={<span className="size-11" />}>
              <Bell />
            </Suspense>
          )}
          {token ? (
            <>
              <Button variant="quiet" className="px-4 max-xl:hidden" onClick={signOut}>
                Sign out
              </Button>
              <Tooltip text="Sign out">
                <IconButton label="Sign out" className="max-md:hidden xl:hidden" onClick={signOut}>
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
                Sign in
              </ButtonLink>
            )
          )}
          <IconButton
            label="Open menu"
            className="-mr-2 lg:hidden"
            aria-haspopup="dialog"
            onClick={() => setMenuOpen(true)}
          >
            <MenuIcon aria-hidden />
          </IconButton>
        </div>
      </div>
      <Suspense>{menuLoaded && <SmallMenu open={menuOpen} onOpenChange={setMenuOpen} />}</Suspense>
    </header>
  );
}

const HeaderLink = ({ to, className, children }: { to: string; className?: string; children: ReactNode }) => (
  <NavLink
    to={to}
    // The community has several pages.
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
  const [theme, setTheme] = useTheme();
  const label = theme === 'dark' ? 'Switch to the light theme' : 'Switch to the dark theme';
  return (
    <Tooltip text={label}>
      <IconButton label={label} onClick={() => setTheme(theme === 'dark' ? 'light' : 'dark')}>
        {theme === 'dark' ? <Sun aria-hidden /> : <Moon aria-hidden />}
      </IconButton>
    </Tooltip>
  );
}
