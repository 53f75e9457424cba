import { IdText } from '@beltway/contracts/common/basics';
import { Navigate, useSearchParams } from 'react-router-dom';
import { CheckoutError } from '../../features/promotion/checkout-error.tsx';
import { ChooseEvent } from '../../features/promotion/choose-event.tsx';
import { EventNotFound, OfEvent } from '../../features/promotion/of-event.tsx';
import { packageOf, packages, promotionPath } from '../../features/promotion/packages.ts';
import { PromotionCheckout } from '../../features/promotion/promotion-checkout.tsx';
import { texts as packageTexts } from '../../features/promotion/packages.texts.en.ts';
import { texts } from '../../features/promotion/texts.en.ts';
import { textsNow, useTexts } from '../../lib/i18n/catalog.ts';
import { formatCents } from '../../lib/i18n/format.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { ButtonLink } from '../../ui/button.tsx';

/** The page where the organizer pays for a promotion (services/catalog/PRODUCT.md#promotion). */
export function Component() {
  // Loads texts that code outside of components reads: package names, and why an event has no packages.
  useTexts(packageTexts);
  usePageTitle(useTexts(texts)('promoteYours'));
  const [params] = useSearchParams();
  const offer = packageOf(params.get('level'));
  const named = params.get('eventId');
  const id = IdText.safeParse(named);
  if (!offer) return <NoSuchLevel eventId={id.data} />;
  if (offer.level === 'livestream') return <Navigate replace to={promotionPath('livestream', id.data)} />;
  if (!named) return <ChooseEvent offer={offer} />;
  if (!id.success) return <EventNotFound offer={offer} />;
  return (
    <OfEvent key={`${id.data} ${offer.level}`} eventId={id.data} offer={offer}>
      {(of) => <PromotionCheckout {...of} />}
    </OfEvent>
  );
}

/** Shown for an unknown level. Lists the packages instead of choosing one. */
const NoSuchLevel = ({ eventId }: { eventId: number | undefined }) => (
  <CheckoutError
    message={useTexts(texts)('noLevel')}
    action={packages().map(({ level, name, cents }) => (
      <ButtonLink key={level} to={promotionPath(level, eventId)} variant="secondary">
        {textsNow(texts)('levelPrice', { name, price: formatCents(cents) })}
      </ButtonLink>
    ))}
  />
);
