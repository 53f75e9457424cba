import { texts } from '../../features/top-picks/texts.en.ts';
import { TopPicks } from '../../features/top-picks/top-picks.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';

/** Videos of events and places, on their own page (services/media/PRODUCT.md#top-picks). */
export function Component() {
  usePageTitle(useTexts(texts)('topPicks'));
  return (
    <div className="page py-6 lg:py-10">
      <TopPicks heading="h1" />
    </div>
  );
}
