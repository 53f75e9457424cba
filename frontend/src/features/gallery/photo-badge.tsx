import type { Photo } from '@beltway/contracts/media/gallery';
import BadgeCheck from 'lucide-react/icons/badge-check';
import Clock from 'lucide-react/icons/clock';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Badge } from '../../ui/badge.tsx';
import { texts } from './texts.en.ts';

/** A photo's badge: everyone sees ‘verified’; the owner sees ‘pending’ and ‘rejected’ as well. */
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
