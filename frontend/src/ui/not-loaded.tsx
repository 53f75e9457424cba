import { textsNow } from '../lib/i18n/catalog.ts';
import { ErrorState } from './states.tsx';
import { texts } from './texts.en.ts';

interface NotLoadedProps {
  /** `The map` */
  what: string;
  heading?: 'h2' | 'h3';
}

/** In place of a part of the page whose code could not be loaded: there is no network, or a newer release. Loading the page again mends both. */
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
