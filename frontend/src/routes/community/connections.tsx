import { POINTS } from '@beltway/contracts/identity/point-rules';
import { useInfiniteQuery } from '@tanstack/react-query';
import { CommunityNav } from '../../features/thread/community-nav.tsx';
import { connectionsQuery, peopleMetQuery } from '../../features/connections/api.ts';
import { PeopleSection } from '../../features/connections/people-section.tsx';
import { texts } from '../../features/connections/texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCount } from '../../lib/i18n/format.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { Page } from '../../ui/page.tsx';

/** Requests to connect, people met at events, and connections (services/identity/PRODUCT.md#connections). */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('title'));
  const asks = useInfiniteQuery(connectionsQuery('asks-you'));
  const met = useInfiniteQuery(peopleMetQuery());
  const asked = useInfiniteQuery(connectionsQuery('asked'));
  const connected = useInfiniteQuery(connectionsQuery('connected'));
  return (
    <Page title={t('title')} intro={t('lead', { points: formatCount(POINTS.connection) })} width="text">
      <CommunityNav />
      <PeopleSection title={t('asksTitle')} found={asks} empty={t('noAsks')} more={t('moreAsks')} />
      <PeopleSection title={t('metTitle')} found={met} empty={t('noMet')} more={t('moreMet')} />
      <PeopleSection title={t('askedTitle')} found={asked} empty={t('noAsked')} more={t('moreAsked')} />
      <PeopleSection title={t('connectedTitle')} found={connected} empty={t('noConnected')} more={t('moreConnected')} />
    </Page>
  );
}
