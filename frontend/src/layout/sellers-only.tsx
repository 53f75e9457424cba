import { useTexts } from '../lib/i18n/catalog.ts';
import { ForOthers } from './for-others.tsx';
import { texts } from './texts.en.ts';

/** Shown instead of a sales page to accounts that do not sell. */
export function SellersOnly() {
  const t = useTexts(texts);
  return <ForOthers title={t('forSellers')}>{t('forSellersWhy')}</ForOthers>;
}
