import { weekFromCents } from '@beltway/contracts/ads';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { Link } from 'react-router-dom';
import { formatCents } from '../../lib/format.ts';
import { configQuery } from '../../lib/public-config.ts';
import { Button, ButtonLink, buttonClass } from '../../ui/button.tsx';
import { Promo } from './promo.tsx';
import { AdPlace, type HomeAds } from './sponsored.tsx';

/** For those who want to be seen (docs/product.md#ads). */
export const PremiumAdPromo = ({ onContact }: { onContact: () => void }) => (
  <Promo
    kind="For businesses"
    title="Be seen by people on their way out"
    action={
      <>
        <ButtonLink to="/ad-pricing" variant="secondary">
          View Packages
        </ButtonLink>
        <Button variant="quiet" onClick={onContact}>
          Contact Sales
        </Button>
      </>
    }
  >
    Put your venue or event in front of people who are choosing where to go tonight. Ad packages start at{' '}
    {formatCents(weekFromCents())} per week.
  </Promo>
);

/** docs/product.md#home */
const DISCOUNT = '15%';

/** Where the discount of a ticket marketplace elsewhere is configured, it has the place of the first block. */
const useDiscount = (): string | null => useQuery(configQuery()).data?.ticketDiscountUrl ?? null;

/** The discount of a ticket marketplace elsewhere, where one is configured; else the first ad block. */
export function DiscountBanner({ ads }: { ads: HomeAds }) {
  const address = useDiscount();
  if (!address)
    return (
      <AdPlace ads={ads} ad={ads.blocks[0]} shape="tall">
        <PriceAd />
      </AdPlace>
    );
  return (
    <Promo
      kind="Advertisement"
      title={`${DISCOUNT} off tickets elsewhere`}
      action={
        <a href={address} target="_blank" rel="noopener noreferrer sponsored" className={buttonClass('secondary')}>
          Get {DISCOUNT} off
          <ExternalLink aria-hidden className="size-4" />
          <span className="sr-only">(opens in a new tab)</span>
        </a>
      }
    >
      A ticket marketplace gives {DISCOUNT} off on its own site. What you buy there is sold and refunded by them.
    </Promo>
  );
}

const textLink = 'inline-flex min-h-11 items-center font-strong underline underline-offset-4';

const PriceAd = () => (
  <Promo
    kind="From Beltway"
    title="The price on the card is what you pay"
    action={
      <Link to="/terms" className={textLink}>
        How prices work
      </Link>
    }
  >
    No service fee, no processing fee, nothing added at the end. We keep 5% of what the organiser earns.
  </Promo>
);

/** The ad banner. No ad network runs here: while nobody has bought it, it says something true of ours. */
export const AdBanner = ({ ads }: { ads: HomeAds }) => (
  <AdPlace ads={ads} ad={ads.banner} shape="wide">
    <RefundAd />
  </AdPlace>
);

/** A house ad in a place that is as wide as the page. */
const IN_A_ROW = 'md:flex-row md:flex-wrap md:items-center md:justify-between [&>p:last-of-type]:md:flex-1';

const RefundAd = () => (
  <Promo
    kind="From Beltway"
    title="Cancelled? Your money comes back by itself"
    className={IN_A_ROW}
    action={
      <Link to="/refunds" className={textLink}>
        How refunds work
      </Link>
    }
  >
    When an organiser cancels an event, every buyer is refunded the whole price. Nobody has to ask for it.
  </Promo>
);

/** The second ad block, below the events. */
export function SecondAd({ ads, onLaunch }: { ads: HomeAds; onLaunch: () => void }) {
  const isFirst = useDiscount() !== null;
  return (
    <AdPlace ads={ads} ad={ads.blocks[isFirst ? 0 : 1]} shape="wide">
      <LaunchAd onLaunch={onLaunch} />
    </AdPlace>
  );
}

const LaunchAd = ({ onLaunch }: { onLaunch: () => void }) => (
  <Promo
    kind="From Beltway"
    title="Nothing to pay until you sell"
    className={IN_A_ROW}
    action={
      <Button variant="secondary" onClick={onLaunch}>
        Launch My Event
      </Button>
    }
  >
    Announcing an event is free. Of each ticket sold 95% is yours.
  </Promo>
);
