import { Component, type ReactNode } from 'react';
import { reportError } from '../lib/error-report.ts';
import { explain } from '../lib/http.ts';
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

/** Shown when rendering failed, or code could not be loaded (offline, or a newer release): a reload mends both. Reports the error. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error ?? new Error('Something unexpected happened.') };
  }
  static getDerivedStateFromProps({ resetKey }: Props, state: State): Partial<State> | null {
    return resetKey === state.resetKey ? null : { error: null, resetKey };
  }
  override componentDidCatch(error: unknown): void {
    reportError(error);
  }
  override render(): ReactNode {
    if (!this.state.error) return this.props.children;
    return (
      <div role="alert" className="page grid justify-items-start gap-4 py-16">
        <Mark className="size-12 text-accent-ink" />
        <h1 className="text-heading">This page broke down</h1>
        <p className="max-w-prose text-ink-soft">{explain(this.state.error)}</p>
        <Button onClick={() => window.location.reload()}>Reload the page</Button>
      </div>
    );
  }
}
