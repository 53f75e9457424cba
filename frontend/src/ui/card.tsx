import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

type Tag = 'section' | 'article' | 'div' | 'li';

const GROUNDS = { surface: 'bg-surface', raised: 'bg-raised', none: null };

interface CardOwnProps<As extends Tag> {
  as?: As;
  ground?: keyof typeof GROUNDS;
}

/** A framed group. */
export function Card<As extends Tag = 'section'>({
  as,
  ground = 'surface',
  className,
  ...rest
}: CardOwnProps<As> & ComponentProps<As>) {
  const Element: Tag = as ?? 'section';
  return (
    <Element
      {...(rest as object)}
      className={cx(
        'grid grid-cols-[minmax(0,1fr)] rounded-lg border border-line p-4 md:p-5',
        GROUNDS[ground],
        className,
      )}
    />
  );
}
