import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { When } from '../../lib/events/event-lines.tsx';
import { EventPicture } from '../../lib/events/event-picture.tsx';
import { formatCents } from '../../lib/i18n/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { CheckList } from '../../ui/check-list.tsx';
import { Meta } from '../../ui/meta.tsx';
import { Skeleton } from '../../ui/states.tsx';
import type { Promoting } from './packages.ts';
import { texts } from './texts.en.ts';

const columns =
  'page grid grid-cols-1 gap-6 py-6 lg:grid-cols-[minmax(0,36rem)_22rem] lg:items-start lg:justify-between lg:gap-12 lg:py-12';

/** Shown while a checkout loads. */
export const SettingUp = () => (
  <div role="status" className={columns}>
    <div className="grid content-start gap-5">
      <p className="text-title">{useTexts(texts)('settingUp')}</p>
      <Skeleton className="h-16 rounded-md" />
      <Skeleton className="h-16 rounded-md" />
      <Skeleton className="h-12 rounded-full" />
    </div>
    <Skeleton className="hidden h-96 rounded-lg lg:block" />
  </div>
);

interface CheckoutLayoutProps extends Pick<Promoting, 'event' | 'offer'> {
  cents: number;
  heading: string;
  lead: string;
  /** The configured details of the order. */
  details?: ReactNode;
  /** Benefits that the configuration turned off. */
  without?: readonly string[];
  children: ReactNode;
}

/** A checkout with the order's summary beside it. */
export function CheckoutLayout({
  event,
  offer,
  cents,
  heading,
  lead,
  details,
  without = [],
  children,
}: CheckoutLayoutProps) {
  const t = useTexts(texts);
  return (
    <div className={columns}>
      <section className="grid min-w-0 max-w-xl grid-cols-1 gap-5 lg:gap-6">
        <header className="grid gap-1">
          <h1 className="text-heading">{heading}</h1>
          {/* Shown on screens where the summary is below the form. */}
          <p className="font-strong tabular lg:hidden">
            {t('line', { title: event.title, offer: offer.name, price: formatCents(cents) })}
          </p>
          <Meta>{lead}</Meta>
        </header>
        {children}
      </section>
      <aside
        aria-label={t('summary')}
        className="overflow-hidden rounded-lg border border-line bg-surface shadow-card lg:sticky lg:top-[calc(var(--below-header)+2rem)]"
      >
        <EventPicture event={event} sizes="24rem" className="hidden aspect-[16/10] lg:block" />
        <div className="grid gap-4 p-5">
          <div className="grid gap-0.5">
            <h2 className="text-title font-strong">{event.title}</h2>
            <When event={event} className="text-note text-ink-soft" />
          </div>
          <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line pt-4">
            <h3 className="font-strong">{t('promotionOf', { name: offer.name })}</h3>
            <Badge tone="accent">{t('oneTime')}</Badge>
          </div>
          {details}
          <CheckList label={t('benefits')} items={offer.benefits.filter((benefit) => !without.includes(benefit))} />
          <dl className="flex items-baseline justify-between gap-4 border-t border-line pt-4 font-strong tabular">
            <dt>{t('total')}</dt>
            <dd className="text-title">{formatCents(cents)}</dd>
          </dl>
        </div>
      </aside>
    </div>
  );
}
