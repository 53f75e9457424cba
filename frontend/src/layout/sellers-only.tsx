import { useTexts } from '../lib/i18n/catalog.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageMessage } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';
import { texts } from './texts.en.ts';

/** In place of a page about sales, for accounts that sell nothing. */
export function SellersOnly() {
  const t = useTexts(texts);
  return (
    <PageMessage>
      <EmptyState heading="h1" title={t('forSellers')} action={<ButtonLink to="/">{t('toFeed')}</ButtonLink>}>
        {t('forSellersWhy')}
      </EmptyState>
    </PageMessage>
  );
}
