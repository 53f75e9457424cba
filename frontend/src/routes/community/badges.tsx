import { useQuery } from '@tanstack/react-query';
import { CommunityNav } from '../../features/community/community-nav.tsx';
import { badgesQuery } from '../../features/points/api.ts';
import { BadgeSection } from '../../features/points/badge-list.tsx';
import { texts } from '../../features/points/texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { useSession } from '../../lib/session/session.ts';
import { ButtonLink } from '../../ui/button.tsx';

/** All badges there are, how rare they are and what they ask for. */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('badges'));
  const { user } = useSession();
  return (
    <div className="page grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6 py-6 lg:py-10">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div className="min-w-0 flex-[1_1_18rem]">
          <h1 className="text-heading">{t('badges')}</h1>
          <p className="mt-1 text-ink-soft">{t('badgesLead')}</p>
        </div>
        {user && (
          <ButtonLink variant="secondary" to={`/u/${user.id}`}>
            {t('yourBadges')}
          </ButtonLink>
        )}
      </header>
      <CommunityNav />
      <BadgeSection found={useQuery(badgesQuery())} />
    </div>
  );
}
