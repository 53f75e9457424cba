import { formatCount } from '../../lib/format.ts';
import { cx } from '../../ui/cx.ts';

/** For the moment in which the name of an account is still on its way. */
export const NAMELESS = 'An organiser';

/** "1 follower", "1,204 followers", "No followers yet" */
export const followersText = (count: number): string =>
  count === 0 ? 'No followers yet' : `${formatCount(count)} ${count === 1 ? 'follower' : 'followers'}`;

/** The first letter of a name, in place of a picture. */
export function Initial({ name, className }: { name: string | null; className?: string }) {
  const [first] = new Intl.Segmenter('en').segment(name ?? '');
  return (
    <span
      aria-hidden
      className={cx(
        'grid shrink-0 place-items-center rounded-full bg-sunken font-display font-strong uppercase text-ink-soft',
        className,
      )}
    >
      {first?.segment}
    </span>
  );
}
