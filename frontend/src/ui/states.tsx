import RotateCw from 'lucide-react/icons/rotate-cw';
import type { ReactNode } from 'react';
import { textsNow } from '../lib/i18n/catalog.ts';
import { Button } from './button.tsx';
import { cx } from './cx.ts';
import { Mark } from './mark.tsx';
import { texts } from './texts.en.ts';

/** A tinted placeholder for loading content. `className` sets the content's size. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div
    aria-hidden
    className={cx('animate-pulse bg-skeleton', !className?.includes('rounded-') && 'rounded-sm', className)}
  />
);

/** Wraps skeletons so that a screen reader announces loading once. */
export const Loading = ({ label, className, children }: { label: string; className?: string; children: ReactNode }) => (
  <div role="status" className={className}>
    <span className="sr-only">{label}</span>
    {children}
  </div>
);

interface EmptyStateProps {
  title: string;
  children?: ReactNode;
  /** A button for what the user can do. */
  action?: ReactNode;
  /** `h1` if the page contains nothing else. */
  heading?: 'h1' | 'h2';
}

export function EmptyState({ title, children, action, heading: Heading = 'h2' }: EmptyStateProps) {
  return (
    <div className="grid justify-items-start gap-3 rounded-lg border border-dashed border-edge/60 px-6 py-10 wrap-anywhere sm:px-10">
      <Mark className="size-10 text-ink-soft" />
      <Heading className="text-heading">{title}</Heading>
      {children && <div className="max-w-prose text-ink-soft">{children}</div>}
      {action && <div className="mt-2 flex flex-wrap gap-3">{action}</div>}
    </div>
  );
}

interface ErrorStateProps {
  title: string;
  /** What happened, in words. */
  message: string;
  onRetry?: () => void;
  retrying?: boolean;
  /** A further button for what the user can do. */
  action?: ReactNode;
  /** `h1` if the page contains nothing else. */
  heading?: 'h1' | 'h2' | 'h3';
}

export function ErrorState({
  title,
  message,
  onRetry,
  retrying = false,
  action,
  heading: Heading = 'h2',
}: ErrorStateProps) {
  const retry = onRetry && (
    <Button variant="secondary" onClick={onRetry} pending={retrying}>
      {!retrying && <RotateCw aria-hidden className="size-4" />}
      {textsNow(texts)('retry')}
    </Button>
  );
  return (
    <div role="alert" className="grid justify-items-start gap-3 rounded-lg bg-danger-soft px-6 py-8 sm:px-10">
      <Heading className="text-title text-danger-ink">{title}</Heading>
      <p className="max-w-prose">{message}</p>
      {action ? (
        <div className="flex flex-wrap gap-3">
          {retry}
          {action}
        </div>
      ) : (
        retry
      )}
    </div>
  );
}
