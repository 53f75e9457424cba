import { explain } from '../lib/http/http.ts';
import { cx } from './cx.ts';

/** Why an action failed: an error, or words of one's own. Nothing when there is neither. */
export const Failure = ({ of, className }: { of: unknown; className?: string }) =>
  of ? (
    <p role="alert" className={cx('text-danger-ink', className)}>
      {typeof of === 'string' ? of : explain(of)}
    </p>
  ) : null;
