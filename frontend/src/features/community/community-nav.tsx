import { NavLink } from 'react-router-dom';
import { cx } from '../../ui/cx.ts';

/** The pages of the community. */
export const CommunityNav = () => (
  <nav aria-label="Community" className="flex flex-wrap gap-1 border-b border-line">
    {[
      { to: '/community', label: 'Posts' },
      { to: '/community/questions', label: 'Questions' },
      { to: '/community/leaderboard', label: 'Leaderboard' },
      { to: '/community/challenges', label: 'Challenges' },
      { to: '/community/badges', label: 'Badges' },
      { to: '/community/connections', label: 'Connections' },
      { to: '/community/referrals', label: 'Referrals' },
    ].map(({ to, label }) => (
      <NavLink
        key={to}
        to={to}
        end
        className={({ isActive }) =>
          cx(
            'relative inline-flex min-h-11 items-center px-3.5 max-sm:px-2 font-strong hover:text-ink',
            isActive
              ? 'text-ink after:absolute after:inset-x-3.5 max-sm:after:inset-x-2 after:-bottom-px after:h-1 after:bg-accent'
              : 'text-ink-soft',
          )
        }
      >
        {label}
      </NavLink>
    ))}
  </nav>
);
