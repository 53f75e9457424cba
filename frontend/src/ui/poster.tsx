import { storedSizes, tintOf } from '@beltway/contracts/media/pictures';
import { useState } from 'react';
import { cx } from './cx.ts';
import { Mark } from './mark.tsx';

interface PosterProps {
  src: string | null;
  /** Shown if `src` cannot be loaded, so that the picture is never an empty box. */
  fallback?: string;
  /** Empty if the title is beside the picture. */
  alt: string;
  /** Whether the picture is on the first screen, so that it loads before all others. */
  priority?: boolean;
  /** The width on screen, as in `<img sizes>`, so that the browser loads the smallest sufficient size. */
  sizes?: string;
  /**
   * The picture's dominant color, shown until it loads. The URL of a photo that our media service stores contains the
   * color.
   */
  tint?: string | null;
  /** Sets the shape (default 16:9), which does not depend on the picture, so that the layout does not shift. */
  className?: string;
}

export function Poster({ src, fallback, alt, priority = false, sizes, tint, className }: PosterProps) {
  const [broken, setBroken] = useState<readonly string[]>([]);
  const shown = [src, fallback].find((one) => one && !broken.includes(one));
  const ground = shown && (tintOf(shown) ?? tint);
  return (
    <div
      className={cx(
        'relative overflow-hidden bg-skeleton',
        // A thin border separates a pale picture from the card.
        'after:pointer-events-none after:absolute after:inset-0 after:rounded-[inherit] after:border after:border-ink/15',
        className ?? 'aspect-video',
      )}
      {...(ground && { style: { backgroundColor: ground } })}
    >
      {shown ? (
        <img
          key={shown}
          src={shown}
          {...(sizes && { sizes, srcSet: sourcesOf(shown) })}
          alt={alt}
          loading={priority ? 'eager' : 'lazy'}
          fetchPriority={priority ? 'high' : 'auto'}
          decoding="async"
          onError={() => setBroken([...broken, shown])}
          className="absolute inset-0 size-full object-cover"
        />
      ) : (
        <div className="absolute inset-0 grid place-items-center" {...(alt ? { role: 'img', 'aria-label': alt } : {})}>
          <Mark className="size-1/3 max-h-2/3 text-ink/15" />
        </div>
      )}
    </div>
  );
}

const sourcesOf = (src: string): string | undefined =>
  storedSizes(src)
    ?.map(({ url, width }) => `${url} ${width}w`)
    .join(', ');
