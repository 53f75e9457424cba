import type { Photo } from '@beltway/contracts/media/gallery';
import BadgeCheck from 'lucide-react/icons/badge-check';
import Clock from 'lucide-react/icons/clock';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Badge } from '../../ui/badge.tsx';
import { texts } from './texts.en.ts';

/** What a photo is: verified for everybody; one's own may wait for a look, or not have passed it. */
export function PhotoBadge({ photo: { status } }: { photo: Photo }) {
  const t = useTexts(texts);
  if (status === 'verified')
    return (
      <Badge tone="success">
        <BadgeCheck aria-hidden />
        {t('verified')}
      </Badge>
    );
  if (status === 'pending')
    return (
      <Badge tone="warning">
        <Clock aria-hidden />
        {t('pending')}
      </Badge>
    );
  return <Badge tone="danger">{t('notAccepted')}</Badge>;
}
