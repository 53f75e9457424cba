import { formatCents, formatPrice } from '../lib/format.ts';
import { cx } from './cx.ts';

type PriceProps = { className?: string } & (
  { cents: number; dollars?: never } | { dollars: number | string; cents?: never }
);

/** "$25.00", from cents or from dollars. */
export const Price = ({ className, cents, dollars }: PriceProps) => (
  <span className={cx('tabular', className)}>{cents === undefined ? formatPrice(dollars) : formatCents(cents)}</span>
);
