import { Component, type ReactNode } from 'react';
import { textsNow } from '../lib/i18n/catalog.ts';
import { reportError } from '../lib/browser/error-report.ts';
import { explain } from '../lib/http/http.ts';
import { CodeNotLoaded, isForWantOfNetwork } from '../lib/loading/lazily.ts';
import { useHasNetwork } from '../lib/browser/network.ts';
import { Button } from '../ui/button.tsx';
import { Mark } from '../ui/mark.tsx';
import { texts } from './texts.en.ts';

interface Props {
  /** A change renders the children again, because another page may work. */
  resetKey?: string;
  children: ReactNode;
}
interface State {
  error: unknown;
  resetKey: string | undefined;
}

/**
 * Shown when rendering failed, or code could not be loaded because of the network or a newer release. Offers a reload.
 * Reports the error, unless the device has no network.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error ?? new Error('Something unexpected happened.') };
  }
  static getDerivedStateFromProps({ resetKey }: Props, state: State): Partial<State> | null {
    return resetKey === state.resetKey ? null : { error: null, resetKey };
  }
  override componentDidCatch(error: unknown): void {
    if (!isForWantOfNetwork(error)) reportError(error);
  }
  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    if (error instanceof CodeNotLoaded) return <NotLoadedPage />;
    return <BrokenPage error={error} />;
  }
}

/** Shown when a page's code is not cached on the device (docs/decisions/0047). */
function NotLoadedPage() {
  const t = textsNow(texts);
  return useHasNetwork() ? (
    <Broken title={t('notLoaded')}>{t('notLoadedWhy')}</Broken>
  ) : (
    <Broken title={t('noNetwork')}>{t('noNetworkWhy')}</Broken>
  );
}

const BrokenPage = ({ error }: { error: unknown }) => (
  <Broken title={textsNow(texts)('brokeDown')}>{explain(error)}</Broken>
);

/** Uses no lazily loaded code, because the network may be down. */
const Broken = ({ title, children }: { title: string; children: ReactNode }) => (
  <div role="alert" className="page grid justify-items-start gap-4 py-16">
    <Mark className="size-12 text-accent-ink" />
    <h1 className="text-heading">{title}</h1>
    <p className="max-w-prose text-ink-soft">{children}</p>
    <Button onClick={() => window.location.reload()}>{textsNow(texts)('reload')}</Button>
  </div>
);
