import { directionsUrl } from '@beltway/contracts/catalog/event-links';
import MapPin from 'lucide-react/icons/map-pin';
import { buttonClass } from '../../ui/button.tsx';
import { useTexts } from '../i18n/catalog.ts';
import { texts } from '../i18n/texts.en.ts';

/** Opens directions to a location in a new tab. */
export function DirectionsButton({ location, className }: { location: string; className?: string }) {
  const t = useTexts(texts);
  return (
    <a
      href={directionsUrl(location)}
      target="_blank"
      rel="noopener noreferrer"
      className={buttonClass('secondary', className)}
    >
      <MapPin aria-hidden className="size-4 shrink-0" />
      {t('directions')}
      <span className="sr-only">{t('newTab')}</span>
    </a>
  );
}
