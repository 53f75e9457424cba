import type { ReactNode } from 'react';
import { cx } from '../../ui/cx.ts';
import { Meta } from '../../ui/meta.tsx';

interface LineProps {
  /** What it is, above its title: an offer of ours, or an advertisement. */
  kind: string;
  title: string;
  /** Why, where there is room for it. */
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
}

/** A block that offers something, in a line: its kind is said, so that nobody takes it for an event. */
export const Line = ({ kind, title, children, action, className }: LineProps) => (
  <section
    aria-label={title}
    className={cx(
      'flex min-h-18 items-center gap-x-4 gap-y-1 rounded-lg border border-line bg-sunken px-4 py-1.5',
      className,
    )}
  >
    <div className="min-w-0 flex-1">
      <Meta>{kind}</Meta>
      <h2 className="text-body leading-tight">{title}</h2>
      {children && <Meta className="max-md:sr-only">{children}</Meta>}
    </div>
    {action && <div className="flex flex-wrap items-center gap-x-2">{action}</div>}
  </section>
);
