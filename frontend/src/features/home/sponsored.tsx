import type { AdSlot } from '@beltway/contracts/payments/ads';
import { ServedAds, clickPath, type ServedAd } from '@beltway/contracts/catalog/shown-ads';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useRef, type ReactNode } from 'react';
import { AdCard } from '../../lib/ads/ad-card.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { apiQuery } from '../../lib/http/query.ts';
import { cx } from '../../ui/cx.ts';
import { lazily, nothing } from '../../lib/loading/lazily.ts';
import { useImpressions, useSeen, type Impressions } from '../../lib/ads/impressions.ts';
import { texts } from './texts.en.ts';

const ReportButton = lazily(async () => (await import('../../lib/report/report-button.tsx')).ReportButton, nothing);

/** The ads of one view of the home page, chosen when it opens. */
export interface HomeAds {
  banner: ServedAd | undefined;
  blocks: readonly ServedAd[];
  isPending: boolean;
  impressions: Impressions;
}

/** Not cached after the page closes, so that the next view gets other ads. */
const adsQuery = (slot: AdSlot) => ({ ...apiQuery(ServedAds, `/api/ads?slot=${slot}`), gcTime: 0 });

/** GET /api/ads for both slots. If they cannot be loaded, the page shows none. */
export function useHomeAds(): HomeAds {
  const banner = useQuery(adsQuery('banner'));
  const blocks = useQuery(adsQuery('block'));
  const impressions = useImpressions();
  return {
    banner: banner.data?.items[0],
    blocks: blocks.data?.items ?? [],
    isPending: banner.isPending || blocks.isPending,
    impressions,
  };
}

interface AdPlaceProps {
  ads: HomeAds;
  ad: ServedAd | undefined;
  /** A house ad for an unsold slot. It also sizes the slot, so that the layout does not shift. */
  children: ReactNode;
}

/** An ad slot: the sponsored ad, or a house ad. */
export function AdPlace({ ads, ad, children }: AdPlaceProps) {
  const isEmpty = !ads.isPending && !ad;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] [&>*]:col-start-1 [&>*]:row-start-1">
      <div className={cx('grid', !isEmpty && 'invisible')}>{children}</div>
      {ad && <Sponsored key={ad.id} ad={ad} impressions={ads.impressions} />}
    </div>
  );
}

function Sponsored({ ad, impressions }: { ad: ServedAd; impressions: Impressions }) {
  const t = useTexts(texts);
  const place = useRef<HTMLElement>(null);
  useSeen(place, () => impressions.seen('ads', ad.id));
  return (
    <section ref={place} aria-label={t('sponsored', { title: ad.title })} className="relative">
      <a
        href={clickPath(ad.id)}
        target="_blank"
        rel="noopener sponsored nofollow"
        className="block h-full rounded-lg border pr-10 border-line bg-sunken transition-[border-color] duration-(--duration-fast) hover:border-edge"
      >
        <AdCard ad={ad} shape="line" />
        <span className="sr-only">{t('newTab')}</span>
      </a>
      <Suspense>
        <ReportButton of={{ kind: 'ad', id: ad.id }} isSmall className="absolute right-0 bottom-0" />
      </Suspense>
    </section>
  );
}
