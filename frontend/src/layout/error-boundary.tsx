import { Component, type ReactNode } from 'react';
import { reportError } from '../lib/error-report.ts';
import { explain } from '../lib/http.ts';
import { CodeNotLoaded, isForWantOfNetwork } from '../lib/lazily.ts';
import { useHasNetwork } from '../lib/network.ts';
import { Button } from '../ui/button.tsx';
import { Mark } from '../ui/mark.tsx';

interface Props {
  /** When it changes, the children are rendered again: another page may not have the fault. */
  resetKey?: string;
  children: ReactNode;
}
interface State {
  error: unknown;
  resetKey: string | undefined;
}

/**
 * Shown when rendering failed, or code could not be loaded (no network, or a newer release): a reload mends both. Reports the error, unless the
 * device has no network.
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
    return <Broken title="This page broke down">{explain(error)}</Broken>;
  }
}

/** A page whose code is not on the device (docs/decisions/0047). */
const NotLoadedPage = () =>
  useHasNetwork() ? (
    <Broken title="This page could not be loaded">
      The network may have been away for a moment, or there is a newer release. Please load the page again.
    </Broken>
  ) : (
    <Broken title="There is no network">
      This page is not kept on your device. Please load it again when there is a network.
    </Broken>
  );

const Broken = ({ title, children }: { title: string; children: ReactNode }) => (
  <div role="alert" className="page grid justify-items-start gap-4 py-16">
    <Mark className="size-12 text-accent-ink" />
    <h1 className="text-heading">{title}</h1>
    <p className="max-w-prose text-ink-soft">{children}</p>
    <Button onClick={() => window.location.reload()}>Reload the page</Button>
  </div>
);
