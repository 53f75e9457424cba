import { Link, type LinkProps } from 'react-router-dom';
import { cx } from './cx.ts';

/** A link in words, high enough for a thumb. `quiet`: a name that leads somewhere, underlined under the pointer only. */
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
