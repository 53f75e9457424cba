import { Tonight } from '../features/tonight/tonight.tsx';
import { texts } from '../features/tonight/texts.ts';
import { useTexts } from '../lib/catalogue.ts';
import { usePageTitle } from '../lib/page-title.ts';

/** What one can still get to. */
export function Component() {
  usePageTitle(useTexts(texts)('title'));
  return <Tonight />;
}
