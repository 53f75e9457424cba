import type { ReactNode } from 'react';
import { cx } from '../../ui/cx.ts';
import { Meta } from '../../ui/meta.tsx';

interface PromoProps {
  /** What it is, above its title: an offer of ours, or an advertisement. */
  kind: string;
  title: string;
  children: ReactNode;
  action?: ReactNode;
  className?: string;
}

/** A block that offers something: its kind is said, so that nobody takes it for an event. */
export function Promo({ kind, title, children, action, className }: PromoProps) {
  return (
    <section
      aria-label={title}
      className={cx('flex flex-col items-start gap-2 rounded-lg border border-line bg-sunken p-4 md:p-5', className)}
    >
      <Meta>{kind}</Meta>
      <h2 className="text-title">{title}</h2>
      <Meta className="max-w-prose">{children}</Meta>
      {action && <div className="mt-auto flex flex-wrap gap-2 pt-2">{action}</div>}
    </section>
  );
}
