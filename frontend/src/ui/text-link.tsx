import { Link, type LinkProps } from 'react-router-dom';
import { cx } from './cx.ts';

/** A text link, tall enough to tap. `quiet`: a linked name, underlined only on hover. */
export const TextLink = ({ quiet = false, className, ...rest }: LinkProps & { quiet?: boolean }) => (
  <Link
    {...rest}
    className={cx(
      'inline-flex min-h-11 items-center underline-offset-4',
      quiet ? 'hover:underline' : 'underline',
      className,
    )}
  />
);
