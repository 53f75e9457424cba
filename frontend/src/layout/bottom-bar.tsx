import Bookmark from 'lucide-react/icons/bookmark';
import CalendarDays from 'lucide-react/icons/calendar-days';
import ChartColumn from 'lucide-react/icons/chart-column';
import CirclePlus from 'lucide-react/icons/circle-plus';
import CircleUserRound from 'lucide-react/icons/circle-user-round';
import House from 'lucide-react/icons/house';
import LogOut from 'lucide-react/icons/log-out';
import Radio from 'lucide-react/icons/radio';
import Search from 'lucide-react/icons/search';
import Settings from 'lucide-react/icons/settings';
import Ticket from 'lucide-react/icons/ticket';
import type { ComponentProps, ReactNode } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { useTexts } from '../lib/i18n/catalog.ts';
import { signInPath } from '../lib/navigation/return-path.ts';
import { useSession } from '../lib/session/session.ts';
import { cx } from '../ui/cx.ts';
import { Menu } from '../ui/menu.tsx';
import { useHasEvents, useIsBusiness, useSignOut } from './account.ts';
import { isCheckout } from './checkouts.ts';
import { focusSearch } from './focus-search.ts';
import { BOTTOM_BAR } from './frame.tsx';
import { useOpenDialog } from './header-dialogs.tsx';
import { texts } from './texts.en.ts';

const item =
  'flex min-h-14 min-w-0 flex-1 flex-col items-center justify-center gap-0.5 px-0.5 py-1 text-center text-note leading-tight font-strong [&_svg]:size-5.5 [&_svg]:shrink-0 text-ink-soft aria-[current]:text-ink';

/** The menu of small screens. */
export function BottomBar() {
  const t = useTexts(texts);
  const { user } = useSession();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const openDialog = useOpenDialog();
  const signOut = useSignOut();
  const isBusiness = useIsBusiness();
  const hasEvents = useHasEvents();
  if (isCheckout(pathname)) return null;
  const discover = () => {
    // From another page, the home page focuses its search field once it is shown.
    if (pathname === '/') focusSearch();
    else void navigate('/', { state: { focusSearch: true } });
  };
  // The location's state makes the live streams scroll into view once they are loaded.
  const showLive = () =>
    void navigate('/', {
      state: { showLive: true },
      replace: pathname === '/' && search === '',
      preventScrollReset: true,
    });
  return (
    <nav aria-label={t('bottomMenu')} className={BOTTOM_BAR}>
      <Link to="/" aria-current={pathname === '/' ? 'page' : undefined} className={item}>
        <House aria-hidden />
        <Label>{t('home')}</Label>
      </Link>
      <Item onClick={discover}>
        <Search aria-hidden />
        <Label>{t('discover')}</Label>
      </Item>
      <Item onClick={() => openDialog('launch')}>
        <CirclePlus aria-hidden />
        <Label>{t('sellTickets')}</Label>
      </Item>
      <Item onClick={showLive}>
        <Radio aria-hidden />
        <Label>{t('live')}</Label>
      </Item>
      <Link to="/my-tickets" aria-current={pathname === '/my-tickets' ? 'page' : undefined} className={item}>
        <Ticket aria-hidden />
        <Label>{t('myTickets')}</Label>
      </Link>
      {user ? (
        <Menu
          side="top"
          heading={
            <>
              {user.name}
              <br />
              {user.email}
            </>
          }
          items={[
            { label: t('saved'), icon: <Bookmark aria-hidden />, onSelect: () => void navigate('/saved') },
            ...(hasEvents
              ? [
                  {
                    label: t('yourEvents'),
                    icon: <CalendarDays aria-hidden />,
                    onSelect: () => void navigate('/dashboard'),
                  },
                ]
              : []),
            ...(isBusiness
              ? [
                  { label: t('dashboard'), icon: <ChartColumn aria-hidden />, onSelect: () => openDialog('dashboard') },
                  {
                    label: t('adminRevenue'),
                    icon: <ChartColumn aria-hidden />,
                    onSelect: () => void navigate('/admin'),
                  },
                ]
              : []),
            { label: t('account'), icon: <Settings aria-hidden />, onSelect: () => void navigate('/account') },
            { label: t('signOut'), icon: <LogOut aria-hidden />, onSelect: signOut },
          ]}
          trigger={
            <Item>
              <CircleUserRound aria-hidden />
              <Label>{t('profile')}</Label>
            </Item>
          }
        />
      ) : (
        <Link to={signInPath(pathname + search)} className={item}>
          <CircleUserRound aria-hidden />
          <Label>{t('profile')}</Label>
        </Link>
      )}
    </nav>
  );
}

/** Hidden visually on the narrowest screens, where only the icons fit. */
const Label = ({ children }: { children: string }) => <span className="max-[22rem]:sr-only">{children}</span>;

const Item = ({ children, ...rest }: ComponentProps<'button'> & { children: ReactNode }) => (
  <button type="button" {...rest} className={cx(item)}>
    {children}
  </button>
);
