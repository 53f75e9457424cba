import { Link } from 'react-router-dom';
import { useSession } from '../lib/session.ts';
import { Mark } from '../ui/mark.tsx';
import { useOpenDialog } from './header-dialogs.tsx';

const item = 'inline-flex min-h-11 items-center underline-offset-4 hover:underline';

export function Footer() {
  const { token } = useSession();
  const openDialog = useOpenDialog();
  return (
    <footer className="mt-20 border-t border-line bg-sunken pb-[calc(var(--dock)+1.5rem)] md:pb-0">
      <div className="page flex flex-wrap items-start justify-between gap-x-16 gap-y-6 py-10">
        <div className="max-w-sm">
          <p className="flex items-center gap-2 font-display text-title font-strong">
            <Mark className="size-6 text-accent-ink" />
            Beltway
          </p>
          <p className="mt-2 text-note text-ink-soft">
            What is on around Washington DC, Maryland and Virginia, and the ticket for it. The price you see is the
            price you pay.
          </p>
        </div>
        <nav aria-label="Quick links">
          <ul className="flex flex-wrap gap-x-8 text-note font-strong">
            <li>
              <Link to="/" className={item}>
                Home
              </Link>
            </li>
            <li>
              <Link to="/my-tickets" className={item}>
                My Tickets
              </Link>
            </li>
            <li>
              <button type="button" className={item} onClick={() => openDialog('launch')}>
                Launch My Event
              </button>
            </li>
            {!token && (
              <li>
                <Link to="/auth" className={item}>
                  Login/Register
                </Link>
              </li>
            )}
          </ul>
        </nav>
      </div>
    </footer>
  );
}
