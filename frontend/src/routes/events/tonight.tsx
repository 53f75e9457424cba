import { Tonight } from '../../features/tonight/tonight.tsx';
import { texts } from '../../features/tonight/texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';

/** What one can still get to. */
export function Component() {
  usePageTitle(useTexts(texts)('title'));
  return <Tonight />;
}
