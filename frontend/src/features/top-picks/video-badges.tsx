import type { TopPick } from '@beltway/contracts/media/top-picks';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Badge } from '../../ui/badge.tsx';
import { texts } from './texts.en.ts';

/** A video's badges: promoted, featured, rejected, and its category. */
export function VideoBadges({ video: { promotedEvent, featured, approved, category } }: { video: TopPick }) {
  const t = useTexts(texts);
  return (
    <span className="flex flex-wrap gap-2">
      {promotedEvent && <Badge tone="accent">{t('promoted')}</Badge>}
      {featured && <Badge tone="success">{t('featured')}</Badge>}
      {!approved && <Badge tone="danger">{t('notShown')}</Badge>}
      <Badge>{t(category)}</Badge>
    </span>
  );
}
