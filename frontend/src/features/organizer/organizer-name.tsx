import { textsNow } from '../../lib/i18n/catalog.ts';
import { formatCount } from '../../lib/i18n/format.ts';
import { cx } from '../../ui/cx.ts';
import { texts } from './texts.en.ts';

/** Shown until an account's name has arrived. */
export const nameless = (): string => textsNow(texts)('nameless');

/** "1 follower", "1,204 followers", "No followers yet" */
export const followersText = (count: number): string =>
  textsNow(texts)('followers', { count, number: formatCount(count) });

/** The initial of a name, in place of a picture. */
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
