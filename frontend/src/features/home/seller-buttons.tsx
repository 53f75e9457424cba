import { ChartColumn, CircleDollarSign, Users } from 'lucide-react';
import { buttonClass } from '../../ui/button.tsx';
import { Link } from 'react-router-dom';

const BUTTONS = [
  { to: '/admin', name: 'Check Revenue', icon: <CircleDollarSign aria-hidden className="size-5" /> },
  { to: '/admin', name: 'Admin Dashboard', icon: <ChartColumn aria-hidden className="size-5" /> },
  { to: '/customers', name: 'View Customers', icon: <Users aria-hidden className="size-5" /> },
];

/** Float above the home page of those who sell: on a phone icons above its bottom bar, with room for the feed beside them. */
export const SellerButtons = () => (
  <nav
    aria-label="Your sales"
    data-dock
    className="fixed right-3 bottom-[calc(4.5rem+env(safe-area-inset-bottom))] z-20 grid justify-items-end gap-2 md:right-6 md:bottom-6"
  >
    {BUTTONS.map(({ to, name, icon }) => (
      <Link key={name} to={to} className={buttonClass('secondary', 'min-w-11 px-2.5 shadow-lift md:px-4')}>
        {icon}
        <span className="max-md:sr-only">{name}</span>
      </Link>
    ))}
  </nav>
);
