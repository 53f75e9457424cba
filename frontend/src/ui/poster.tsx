import { storedSizes, tintOf } from '@beltway/contracts/media/pictures';
import { useState } from 'react';
import { cx } from './cx.ts';
import { Mark } from './mark.tsx';

interface PosterProps {
  src: string | null;
  /** Shown when `src` is not there: a picture is never an empty box. */
  fallback?: string;
  /** Empty when the title stands beside it. */
  alt: string;
  /** Of the first screen: loaded before all others. */
  priority?: boolean;
  /** How wide it is shown, as of `<img sizes>`: the browser then takes the smallest of the stored sizes that will do. */
  sizes?: string;
  /** The picture's own color, which is shown until it is there; a photo of ours has it in its address. */
  tint?: string | null;
  /** Its shape never depends on the picture, so that nothing jumps; 16:9 unless a class says otherwise. */
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
        // A thin line around it: a pale picture ends where the card begins.
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
