import type { AdPackage } from '@beltway/contracts/ads';
import type { ReactNode } from 'react';
import { formatCents } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { CheckList } from '../../ui/check-list.tsx';
import { adCheckoutPath } from './paths.ts';

interface CheckoutLayoutProps {
  offer: AdPackage;
  /** While a payment is under way another package cannot be chosen. */
  canChange: boolean;
  children: ReactNode;
}

/** The checkout of an ad beside the summary of what is bought. */
export const CheckoutLayout = ({ offer, canChange, children }: CheckoutLayoutProps) => (
  <div className="page grid grid-cols-1 gap-6 py-6 lg:grid-cols-[minmax(0,36rem)_22rem] lg:items-start lg:justify-between lg:gap-12 lg:py-12">
    <aside
      aria-label="Order summary"
      className="grid gap-4 rounded-lg border border-line bg-surface p-5 shadow-card lg:sticky lg:top-24 lg:order-last"
    >
      <div className="grid gap-1">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 className="text-title">{offer.name}</h2>
          {offer.badge && <Badge tone="accent">{offer.badge}</Badge>}
        </div>
        <p className="text-note text-ink-soft">{offer.duration}</p>
      </div>
      {/* On a phone the form comes before what is known from the page before. */}
      <div className="max-lg:hidden">
        <CheckList label="Features" items={offer.features} />
      </div>
      <dl className="grid gap-1.5 border-t border-line pt-4 tabular">
        <Line name="Package" value={formatCents(offer.cents)} />
        <Line name="Processing fee" value="$0.00" />
        <Line name="Total" value={formatCents(offer.cents)} isTotal />
      </dl>
      {canChange && (
        <ButtonLink to={adCheckoutPath()} variant="secondary">
          Change package
        </ButtonLink>
      )}
    </aside>
    <section className="grid min-w-0 max-w-xl grid-cols-1 gap-5 lg:gap-6">
      <header className="grid gap-1">
        <h1 className="text-heading">Book your ad</h1>
        <p className="text-note text-ink-soft">
          Paid once; nothing renews by itself. Your time begins when your ad is approved.
        </p>
      </header>
      {children}
    </section>
  </div>
);

const Line = ({ name, value, isTotal = false }: { name: string; value: string; isTotal?: boolean }) => (
  <div className={isTotal ? 'flex items-baseline justify-between gap-4 font-strong' : 'flex justify-between gap-4'}>
    <dt>{name}</dt>
    <dd className={isTotal ? 'text-title' : ''}>{value}</dd>
  </div>
);
