import { WEEK_FROM_CENTS } from '@beltway/contracts/payments/ad-prices';
import { useQuery } from '@tanstack/react-query';
import ExternalLink from 'lucide-react/icons/external-link';
import { Link } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCents } from '../../lib/i18n/format.ts';
import { configQuery } from '../../lib/http/public-config.ts';
import { Button, ButtonLink, buttonClass } from '../../ui/button.tsx';
import { Line } from './line.tsx';
import { AdPlace, type HomeAds } from './sponsored.tsx';
import { texts } from './promos.texts.en.ts';

/** Offers ads to businesses (services/catalog/PRODUCT.md#ads). */
export function PremiumAdPromo({ onContact }: { onContact: () => void }) {
  const t = useTexts(texts);
  return (
    <Line
      kind={t('forBusinesses')}
      title={t('beSeen')}
      className="max-md:flex-col max-md:items-start"
      action={
        <>
          <ButtonLink to="/ad-pricing" variant="secondary" className="px-4">
            {t('viewPackages')}
          </ButtonLink>
          <Button variant="quiet" className="px-3" onClick={onContact}>
            {t('contactSales')}
          </Button>
        </>
      }
    >
      {t('beSeenWhy', { price: formatCents(WEEK_FROM_CENTS) })}
    </Line>
  );
}

/** frontend/PRODUCT.md#home */
const percent = '15%';

/** The URL of an external ticket marketplace's discount, or null. */
const useDiscount = (): string | null => useQuery(configQuery()).data?.ticketDiscountUrl ?? null;

/**
 * Chooses the slots of the ad blocks. If there is a discount or a bought banner, the first block is below the events,
 * so that the ads are not next to each other. Otherwise the first block is above the events.
 */
function usePlaces({ banner, blocks }: HomeAds) {
  const discount = useDiscount();
  const [first, second] = blocks;
  return discount || banner ? { discount, above: undefined, below: first } : { discount, above: first, below: second };
}

/** The discount of an external ticket marketplace, if configured; otherwise an ad slot. */
export function DiscountBanner({ ads }: { ads: HomeAds }) {
  const t = useTexts(texts);
  const { discount, above } = usePlaces(ads);
  if (!discount)
    return (
      <AdPlace ads={ads} ad={above}>
        <HouseLine title={t('priceTitle')} to="/terms" link={t('priceLink')} />
      </AdPlace>
    );
  return (
    <Line
      kind={t('advertisement')}
      title={t('discountTitle', { percent })}
      action={
        <a href={discount} target="_blank" rel="noopener noreferrer sponsored" className={buttonClass('secondary')}>
          {t('discountGet', { percent })}
          <ExternalLink aria-hidden className="size-4" />
          <span className="sr-only">{t('newTab')}</span>
        </a>
      }
    >
      {t('discountWhy', { percent })}
    </Line>
  );
}

const textLink = 'inline-flex min-h-11 items-center font-strong underline underline-offset-4';

/** The house ad for an unsold slot: a true sentence about Beltway. */
function HouseLine({ title, to, link }: { title: string; to: string; link: string }) {
  const t = useTexts(texts);
  return (
    <Line
      kind={t('fromUs')}
      title={title}
      action={
        <Link to={to} className={textLink}>
          {link}
        </Link>
      }
    />
  );
}

/** The ad banner. Beltway uses no ad network. */
export function AdBanner({ ads }: { ads: HomeAds }) {
  const t = useTexts(texts);
  return (
    <AdPlace ads={ads} ad={ads.banner}>
      <HouseLine title={t('refundTitle')} to="/refunds" link={t('refundLink')} />
    </AdPlace>
  );
}

/** The second ad block, below the events. */
export function SecondAd({ ads, onLaunch }: { ads: HomeAds; onLaunch: () => void }) {
  const t = useTexts(texts);
  return (
    <AdPlace ads={ads} ad={usePlaces(ads).below}>
      <Line
        kind={t('fromUs')}
        title={t('sellTitle')}
        action={
          <button type="button" className={textLink} onClick={onLaunch}>
            {t('launch')}
          </button>
        }
      >
        {t('sellWhy')}
      </Line>
    </AdPlace>
  );
}
