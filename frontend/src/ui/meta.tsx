import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

type Tag = 'p' | 'span' | 'div' | 'dt' | 'time';

/** Metadata in small text: time, author, count, purpose. */
export function Meta<As extends Tag = 'p'>({ as, className, ...rest }: { as?: As } & ComponentProps<As>) {
  const Element: Tag = as ?? 'p';
  return <Element {...(rest as object)} className={cx('text-note text-ink-soft', className)} />;
}
