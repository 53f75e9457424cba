import { ErrorState } from './states.tsx';

interface NotLoadedProps {
  /** `The map` */
  what: string;
  heading?: 'h2' | 'h3';
}

/** In place of a part of the page whose code could not be loaded: there is no network, or a newer release. Loading the page again mends both. */
export const NotLoaded = ({ what, heading = 'h2' }: NotLoadedProps) => (
  <ErrorState
    title={`${what} could not be loaded`}
    message={navigator.onLine ? 'Please load the page again.' : 'There is no network just now.'}
    heading={heading}
    onRetry={() => window.location.reload()}
  />
);
