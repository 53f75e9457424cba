import type { AdPackage } from '@beltway/contracts/payments/ads';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCents } from '../../lib/i18n/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { CheckList } from '../../ui/check-list.tsx';
import { Meta } from '../../ui/meta.tsx';
import { usePackages } from '../../lib/ads/package-names.ts';
import { adCheckoutPath } from './paths.ts';
import { texts } from './texts.en.ts';

/** A package with its price and the link to its checkout. */
export function PackageCard({ offer, action }: { offer: AdPackage; action: string }) {
  const t = useTexts(texts);
  const { nameOf, timeOf, badgeOf, featuresOf } = usePackages();
  const { id, cents } = offer;
  const name = nameOf(offer);
  const badge = badgeOf(offer);
  return (
    <section
      aria-label={name}
      className="grid grid-rows-[auto_1fr_auto] gap-4 rounded-lg border border-line bg-surface p-5 shadow-card"
    >
      <header className="grid content-start gap-1">
        <div className="sm:min-h-7">{badge && <Badge tone="accent">{badge}</Badge>}</div>
        <h2 className="text-title">{name}</h2>
        <p className="text-heading tabular">{formatCents(cents)}</p>
        <Meta>{t('paidOnce', { duration: timeOf(offer) })}</Meta>
      </header>
      <CheckList label={t('features')} items={featuresOf(offer)} />
      <ButtonLink to={adCheckoutPath(id)} variant="secondary" aria-label={t('actionOf', { action, name })}>
        {action}
      </ButtonLink>
    </section>
  );
}

export const PackageCards = ({ of: offers, action }: { of: readonly AdPackage[]; action: string }) => (
  <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
    {offers.map((offer) => (
      <li key={offer.id} className="grid">
        <PackageCard offer={offer} action={action} />
      </li>
    ))}
  </ul>
);
