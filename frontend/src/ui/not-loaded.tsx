import { textsNow } from '../lib/i18n/catalog.ts';
import { ErrorState } from './states.tsx';
import { texts } from './texts.en.ts';

interface NotLoadedProps {
  /** The name of the section, such as `The map`. */
  what: string;
  heading?: 'h2' | 'h3';
}

/**
 * Replaces a section whose code could not be loaded, because of the network or a newer release. A reload can fix both.
 */
export function NotLoaded({ what, heading = 'h2' }: NotLoadedProps) {
  const t = textsNow(texts);
  return (
    <ErrorState
      title={t('notLoaded', { what })}
      message={navigator.onLine ? t('loadAgain') : t('noNetwork')}
      heading={heading}
      onRetry={() => window.location.reload()}
    />
  );
}
