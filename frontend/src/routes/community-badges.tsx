import { useQuery } from '@tanstack/react-query';
import { CommunityNav } from '../features/community/community-nav.tsx';
import { badgesQuery } from '../features/points/api.ts';
import { BadgeSection } from '../features/points/badge-list.tsx';
import { usePageTitle } from '../lib/page-title.ts';
import { useSession } from '../lib/session.ts';
import { ButtonLink } from '../ui/button.tsx';

/** All badges there are, how rare they are and what they ask for. */
export function Component() {
  usePageTitle('Badges');
  const { user } = useSession();
  return (
    <div className="page grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6 py-6 lg:py-10">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="text-heading">Badges</h1>
          <p className="mt-1 text-ink-soft">What one can earn by going out and sharing photos.</p>
        </div>
        {user && (
          <ButtonLink variant="secondary" to={`/u/${user.id}`}>
            Your badges
          </ButtonLink>
        )}
      </header>
      <CommunityNav />
      <BadgeSection found={useQuery(badgesQuery())} />
    </div>
  );
}
