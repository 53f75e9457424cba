import { WEEK_FROM_CENTS } from '@beltway/contracts/payments/ad-prices';
import { useQuery } from '@tanstack/react-query';
import ExternalLink from 'lucide-react/icons/external-link';
import { Link } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCents } from '../../lib/i18n/format.ts';
import { configQuery } from '../../lib/http/public-config.ts';
import { Button, ButtonLink, buttonClass } from '../../ui/button.tsx';
import { Promo } from './promo.tsx';
import { AdPlace, type HomeAds } from './sponsored.tsx';
import { texts } from './texts.en.ts';

/** For those who want to be seen (services/catalog/PRODUCT.md#ads). */
export function PremiumAdPromo({ onContact }: { onContact: () => void }) {
  const t = useTexts(texts);
  return (
    <Promo
      kind={t('forBusinesses')}
      title={t('beSeen')}
      action={
        <>
          <ButtonLink to="/ad-pricing" variant="secondary">
            {t('viewPackages')}
          </ButtonLink>
          <Button variant="quiet" onClick={onContact}>
            {t('contactSales')}
          </Button>
        </>
      }
    >
      {t('beSeenWhy', { price: formatCents(WEEK_FROM_CENTS) })}
    </Promo>
  );
}

/** frontend/PRODUCT.md#home */
const percent = '15%';

/** Where the discount of a ticket marketplace elsewhere is configured, it has the place of the first block. */
const useDiscount = (): string | null => useQuery(configQuery()).data?.ticketDiscountUrl ?? null;

/** The discount of a ticket marketplace elsewhere, where one is configured; else the first ad block. */
export function DiscountBanner({ ads }: { ads: HomeAds }) {
  const t = useTexts(texts);
  const address = useDiscount();
  if (!address)
    return (
      <AdPlace ads={ads} ad={ads.blocks[0]} shape="tall">
        <PriceAd />
      </AdPlace>
    );
  return (
    <Promo
      kind={t('advertisement')}
      title={t('discountTitle', { percent })}
      action={
        <a href={address} target="_blank" rel="noopener noreferrer sponsored" className={buttonClass('secondary')}>
          {t('discountGet', { percent })}
          <ExternalLink aria-hidden className="size-4" />
          <span className="sr-only">{t('newTab')}</span>
        </a>
      }
    >
      {t('discountWhy', { percent })}
    </Promo>
  );
}

const textLink = 'inline-flex min-h-11 items-center font-strong underline underline-offset-4';

function PriceAd() {
  const t = useTexts(texts);
  return (
    <Promo
      kind={t('fromUs')}
      title={t('priceTitle')}
      action={
        <Link to="/terms" className={textLink}>
          {t('priceLink')}
        </Link>
      }
    >
      {t('priceWhy')}
    </Promo>
  );
}

/** The ad banner. No ad network runs here: while nobody has bought it, it says something true of ours. */
export const AdBanner = ({ ads }: { ads: HomeAds }) => (
  <AdPlace ads={ads} ad={ads.banner} shape="wide">
    <RefundAd />
  </AdPlace>
);

/** A house ad in a place that is as wide as the page. */
const IN_A_ROW = 'md:flex-row md:flex-wrap md:items-center md:justify-between [&>p:last-of-type]:md:flex-1';

function RefundAd() {
  const t = useTexts(texts);
  return (
    <Promo
      kind={t('fromUs')}
      title={t('refundTitle')}
      className={IN_A_ROW}
      action={
        <Link to="/refunds" className={textLink}>
          {t('refundLink')}
        </Link>
      }
    >
      {t('refundWhy')}
    </Promo>
  );
}

/** The second ad block, below the events. */
export function SecondAd({ ads, onLaunch }: { ads: HomeAds; onLaunch: () => void }) {
  const isFirst = useDiscount() !== null;
  return (
    <AdPlace ads={ads} ad={ads.blocks[isFirst ? 0 : 1]} shape="wide">
      <LaunchAd onLaunch={onLaunch} />
    </AdPlace>
  );
}

function LaunchAd({ onLaunch }: { onLaunch: () => void }) {
  const t = useTexts(texts);
  return (
    <Promo
      kind={t('fromUs')}
      title={t('sellTitle')}
      className={IN_A_ROW}
      action={
        <Button variant="secondary" onClick={onLaunch}>
          {t('launch')}
        </Button>
      }
    >
      {t('sellWhy')}
    </Promo>
  );
}
