import { useQuery } from '@tanstack/react-query';
import { CommunityNav } from '../../features/thread/community-nav.tsx';
import { badgesQuery } from '../../features/points/api.ts';
import { BadgeSection } from '../../features/points/badge-list.tsx';
import { texts } from '../../features/points/texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { useSession } from '../../lib/session/session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';

/** All badges with their rarity and requirements. */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('badges'));
  const { user } = useSession();
  return (
    <Page
      title={t('badges')}
      intro={t('badgesLead')}
      actions={
        user && (
          <ButtonLink variant="secondary" to={`/u/${user.id}`}>
            {t('yourBadges')}
          </ButtonLink>
        )
      }
      width="text"
    >
      <CommunityNav />
      <BadgeSection found={useQuery(badgesQuery())} />
    </Page>
  );
}
