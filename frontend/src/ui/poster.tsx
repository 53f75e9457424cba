import { useState } from 'react';
import { cx } from './cx.ts';
import { Mark } from './mark.tsx';

interface PosterProps {
  src: string | null;
  /** Empty when the title stands beside it. */
  alt: string;
  /** Of the first screen: loaded before all others. */
  priority?: boolean;
  /** How wide it is shown, as of `<img sizes>`: the browser then takes the smaller of the two stored sizes where it will do. */
  sizes?: string;
  /** Its shape never depends on the picture, so that nothing jumps; 16:9 unless a class says otherwise. */
  className?: string;
}

export function Poster({ src, alt, priority = false, sizes, className }: PosterProps) {
  const [broken, setBroken] = useState<string | null>(null);
  return (
    <div className={cx('relative overflow-hidden bg-sunken', className ?? 'aspect-video')}>
      {src && broken !== src ? (
        <img
          src={src}
          {...(sizes && { sizes, srcSet: sourcesOf(src) })}
          alt={alt}
          loading={priority ? 'eager' : 'lazy'}
          fetchPriority={priority ? 'high' : 'auto'}
          decoding="async"
          onError={() => setBroken(src)}
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

/** Our own pictures are stored 1280 and 640 wide; of a picture elsewhere we know only its address. */
const sourcesOf = (src: string): string | undefined =>
  /^\/media\/.*\.webp$/.test(src) ? `${src.replace(/\.webp$/, '-small.webp')} 640w, ${src} 1280w` : undefined;
