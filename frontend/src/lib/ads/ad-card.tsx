import type { AdContent } from '@beltway/contracts/catalog/served-ads';
import { cx } from '../../ui/cx.ts';
import { Meta } from '../../ui/meta.tsx';
import { Poster } from '../../ui/poster.tsx';
import { textsNow } from '../i18n/catalog.ts';
import { texts } from '../i18n/texts.en.ts';

interface AdCardProps {
  ad: Pick<AdContent, 'imageUrl' | 'title' | 'alt'> & {
    /** The host of the ad's link. */
    site: string;
  };
  /** `tall`: the picture is above the text; `wide`: beside the text; `line`: beside the text, two lines high. */
  shape: 'tall' | 'wide' | 'line';
}

const SHAPES = { tall: 'flex-col gap-3 p-4 md:p-5', wide: 'gap-4 p-4 md:p-5', line: 'items-center gap-3.5 p-1.5' };
const PICTURES = { tall: 'min-h-16 flex-1 basis-16', wide: 'min-h-20 w-28 sm:w-56', line: 'h-14.5 w-24' };

/** An ad on a page, and in the previews for its buyer and admins. Its content is plain text. */
export const AdCard = ({ ad, shape }: AdCardProps) => (
  <span className={cx('flex h-full', SHAPES[shape])}>
    <Poster
      src={ad.imageUrl}
      alt={ad.alt}
      sizes={shape === 'tall' ? '(width >= 48rem) 24rem, 92vw' : '14rem'}
      className={cx('shrink-0 rounded-md', PICTURES[shape])}
    />
    <span className="grid min-w-0 content-start gap-1">
      <Meta as="span">{[textsNow(texts)('sponsored'), ...(shape === 'line' ? [ad.site] : [])].join(' · ')}</Meta>
      <bdi
        className={cx(
          'font-display font-strong tracking-tight wrap-anywhere',
          shape === 'line' ? 'line-clamp-1 text-body leading-tight' : 'line-clamp-2 text-title',
        )}
      >
        {ad.title}
      </bdi>
      {shape !== 'line' && (
        <Meta as="span" className="truncate">
          {ad.site}
        </Meta>
      )}
    </span>
  </span>
);

/** "https://www.wharf.test/go-go" → "wharf.test" */
export const siteOf = (linkUrl: string): string => new URL(linkUrl).hostname.replace(/^www\./, '');
