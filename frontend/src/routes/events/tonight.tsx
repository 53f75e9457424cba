import { Tonight } from '../../features/tonight/tonight.tsx';
import { texts } from '../../features/tonight/texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';

/** Events that visitors can still reach tonight. */
export function Component() {
  usePageTitle(useTexts(texts)('title'));
  return <Tonight />;
}
