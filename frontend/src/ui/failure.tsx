import { explain } from '../lib/http/http.ts';
import { cx } from './cx.ts';

/** Shows why an action failed, from an error or a text. Renders nothing if `of` is empty. */
export const Failure = ({ of, className }: { of: unknown; className?: string }) =>
  of ? (
    <p role="alert" className={cx('text-danger-ink', className)}>
      {typeof of === 'string' ? of : explain(of)}
    </p>
  ) : null;
