import type { AdPackage } from '@beltway/contracts/payments/ads';
import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCents } from '../../lib/i18n/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { CheckList } from '../../ui/check-list.tsx';
import { Meta } from '../../ui/meta.tsx';
import { usePackages } from '../../lib/ads/package-names.ts';
import { adCheckoutPath } from './paths.ts';
import { texts } from './texts.en.ts';

interface CheckoutLayoutProps {
  offer: AdPackage;
  /** False during a payment, when the package cannot be changed. */
  canChange: boolean;
  children: ReactNode;
}

/** The checkout of an ad beside the summary of the order. */
export function CheckoutLayout({ offer, canChange, children }: CheckoutLayoutProps) {
  const t = useTexts(texts);
  const { nameOf, timeOf, badgeOf, featuresOf } = usePackages();
  return (
    <div className="page grid grid-cols-1 gap-6 py-6 lg:grid-cols-[minmax(0,36rem)_22rem] lg:items-start lg:justify-between lg:gap-12 lg:py-12">
      <aside
        aria-label={t('summary')}
        className="grid gap-4 rounded-lg border border-line bg-surface p-5 shadow-card lg:sticky lg:top-[calc(var(--below-header)+2rem)] lg:order-last"
      >
        <div className="grid gap-1">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <h2 className="text-title">{nameOf(offer)}</h2>
            {offer.badge && <Badge tone="accent">{badgeOf(offer)}</Badge>}
          </div>
          <Meta>{timeOf(offer)}</Meta>
        </div>
        {/* On a phone, the form comes first, because the previous page showed the features. */}
        <div className="max-lg:hidden">
          <CheckList label={t('features')} items={featuresOf(offer)} />
        </div>
        <dl className="grid gap-1.5 border-t border-line pt-4 tabular">
          <Line name={t('package')} value={formatCents(offer.cents)} />
          <Line name={t('fee')} value={formatCents(0)} />
          <Line name={t('total')} value={formatCents(offer.cents)} isTotal />
        </dl>
        {canChange && (
          <ButtonLink to={adCheckoutPath()} variant="secondary">
            {t('changePackage')}
          </ButtonLink>
        )}
      </aside>
      <section className="grid min-w-0 max-w-xl grid-cols-1 gap-5 lg:gap-6">
        <header className="grid gap-1">
          <h1 className="text-heading">{t('bookTitle')}</h1>
          <Meta>{t('bookLead')}</Meta>
        </header>
        {children}
      </section>
    </div>
  );
}

const Line = ({ name, value, isTotal = false }: { name: string; value: string; isTotal?: boolean }) => (
  <div className={isTotal ? 'flex items-baseline justify-between gap-4 font-strong' : 'flex justify-between gap-4'}>
    <dt>{name}</dt>
    <dd className={isTotal ? 'text-title' : ''}>{value}</dd>
  </div>
);
