import { NavLink } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { cx } from '../../ui/cx.ts';
import { texts } from './shared.texts.en.ts';

/** The pages of the community. */
export function CommunityNav() {
  const t = useTexts(texts);
  return (
    <nav aria-label={t('community')} className="flex flex-wrap gap-1 border-b border-line">
      {[
        { to: '/community', label: t('posts') },
        { to: '/community/questions', label: t('questions') },
        { to: '/community/leaderboard', label: t('leaderboard') },
        { to: '/community/challenges', label: t('challenges') },
        { to: '/community/badges', label: t('badges') },
        { to: '/community/connections', label: t('connections') },
        { to: '/community/referrals', label: t('referrals') },
      ].map(({ to, label }) => (
        <NavLink
          key={to}
          to={to}
          end
          className={({ isActive }) =>
            cx(
              'relative inline-flex min-h-11 items-center px-2.5 max-sm:px-2 font-strong hover:text-ink',
              isActive
                ? 'text-ink after:absolute after:inset-x-2.5 max-sm:after:inset-x-2 after:-bottom-px after:h-1 after:bg-accent'
                : 'text-ink-soft',
            )
          }
        >
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
