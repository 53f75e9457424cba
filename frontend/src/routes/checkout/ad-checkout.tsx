import { AD_PACKAGES, adPackage } from '@beltway/contracts/payments/ads';
import { useSearchParams } from 'react-router-dom';
import { AdCheckout } from '../../features/advertise/ad-checkout.tsx';
import { PackageCards } from '../../features/advertise/package-card.tsx';
import { texts } from '../../features/advertise/texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { Notice } from '../../ui/notice.tsx';

const OFFERED = AD_PACKAGES.filter(({ offeredBy }) => offeredBy === 'checkout');

/** The ad checkout, open to everyone (services/catalog/PRODUCT.md#ads). */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('bookTitle'));
  const [params] = useSearchParams();
  const named = params.get('package');
  const offer = named ? adPackage(named) : undefined;
  if (offer) return <AdCheckout key={offer.id} offer={offer} />;
  return (
    <div className="page grid grid-cols-1 gap-6 py-6 lg:py-12">
      <header className="grid gap-1.5">
        <h1 className="text-heading">{t('choosePackage')}</h1>
        <p className="text-ink-soft">{t('choosePackageLead')}</p>
      </header>
      {/* For an unknown package, the page shows a notice instead of choosing another package. */}
      {named && <Notice>{t('noPackage')}</Notice>}
      <PackageCards of={OFFERED} action={t('choose')} />
    </div>
  );
}
