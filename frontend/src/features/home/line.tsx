import type { ReactNode } from 'react';
import { cx } from '../../ui/cx.ts';
import { Meta } from '../../ui/meta.tsx';

interface LineProps {
  /** The kind, shown above the title: our own offer, or an advertisement. */
  kind: string;
  title: string;
  /** The explanation, shown if there is room. */
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
}

/** An offer in one line. The line shows the kind, so that visitors do not mistake the offer for an event. */
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
