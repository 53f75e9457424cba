import ChartColumn from 'lucide-react/icons/chart-column';
import CircleDollarSign from 'lucide-react/icons/circle-dollar-sign';
import Users from 'lucide-react/icons/users';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Link, useNavigate } from 'react-router-dom';
import { buttonClass, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { texts } from './texts.en.ts';

const BUTTONS = [
  { to: '/admin', name: 'checkRevenue', icon: <CircleDollarSign aria-hidden className="size-5" /> },
  { to: '/admin', name: 'adminDashboard', icon: <ChartColumn aria-hidden className="size-5" /> },
  { to: '/customers', name: 'viewCustomers', icon: <Users aria-hidden className="size-5" /> },
] as const;

/**
 * Buttons that float above a seller's home page. On a phone, one button opens them, so that they cover little of the
 * feed.
 */
export function SellerButtons() {
  const t = useTexts(texts);
  const navigate = useNavigate();
  return (
    <>
      <nav aria-label={t('yourSales')} className="fixed end-6 bottom-6 z-20 grid justify-items-end gap-2 max-md:hidden">
        {BUTTONS.map(({ to, name, icon }) => (
          <Link key={name} to={to} className={buttonClass('secondary', 'min-w-11 shadow-lift px-4')}>
            {icon}
            {t(name)}
          </Link>
        ))}
      </nav>
      <div data-dock className="fixed end-3 bottom-[calc(4.5rem+env(safe-area-inset-bottom))] z-20 md:hidden">
        <Menu
          side="top"
          items={BUTTONS.map(({ to, name, icon }) => ({
            ...{ label: t(name), icon },
            onSelect: () => void navigate(to),
          }))}
          trigger={
            <IconButton label={t('yourSales')} className="border border-edge bg-surface shadow-lift">
              <ChartColumn aria-hidden />
            </IconButton>
          }
        />
      </div>
    </>
  );
}
