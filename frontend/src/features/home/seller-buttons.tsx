import ChartColumn from 'lucide-react/icons/chart-column';
import CircleDollarSign from 'lucide-react/icons/circle-dollar-sign';
import Users from 'lucide-react/icons/users';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Link } from 'react-router-dom';
import { texts } from './texts.en.ts';

const BUTTONS = [
  { to: '/admin', name: 'checkRevenue', icon: <CircleDollarSign aria-hidden className="size-5" /> },
  { to: '/admin', name: 'adminDashboard', icon: <ChartColumn aria-hidden className="size-5" /> },
  { to: '/customers', name: 'viewCustomers', icon: <Users aria-hidden className="size-5" /> },
] as const;

/** Float above the home page of those who sell: on a phone icons above its bottom bar, with room for the feed beside them. */
export function SellerButtons() {
  const t = useTexts(texts);
  return (
    <nav
      aria-label={t('yourSales')}
      data-dock
      className="fixed end-3 bottom-[calc(4.5rem+env(safe-area-inset-bottom))] z-20 grid justify-items-end gap-2 md:end-6 md:bottom-6"
    >
      {BUTTONS.map(({ to, name, icon }) => (
        <Link key={name} to={to} className={buttonClass('secondary', 'min-w-11 px-2.5 shadow-lift md:px-4')}>
          {icon}
          <span className="max-md:sr-only">{t(name)}</span>
        </Link>
      ))}
    </nav>
  );
}
