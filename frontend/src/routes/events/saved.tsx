import { SavedEvents } from '../../features/events/engagement/saved-list.tsx';
import { texts } from '../../features/events/engagement/saved.texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';

export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('saved'));
  return (
    <Page title={t('saved')} isRoomy>
      <SavedEvents
        empty={
          <EmptyState title={t('nothing')} action={<ButtonLink to="/">{t('seeWhatIsOn')}</ButtonLink>}>
            {t('nothingWhy')}
          </EmptyState>
        }
      />
    </Page>
  );
}
