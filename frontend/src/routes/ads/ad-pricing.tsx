import { AD_PACKAGES } from '@beltway/contracts/payments/ads';
import BadgeCheck from 'lucide-react/icons/badge-check';
import ChartNoAxesColumn from 'lucide-react/icons/chart-no-axes-column';
import MapPin from 'lucide-react/icons/map-pin';
import Megaphone from 'lucide-react/icons/megaphone';
import { HeroStats } from '../../features/advertise/hero-stats.tsx';
import { PackageCards } from '../../features/advertise/package-card.tsx';
import { texts } from '../../features/advertise/texts.en.ts';
import { useOpenDialog } from '../../layout/header-dialogs.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { Button } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';

const OFFERED = AD_PACKAGES.filter(({ offeredBy }) => offeredBy === 'pricing');

const REASONS = [
  [Megaphone, 'seen', 'seenWhy'],
  [MapPin, 'local', 'localWhy'],
  [ChartNoAxesColumn, 'figures', 'figuresWhy'],
  [BadgeCheck, 'honest', 'honestWhy'],
] as const;

/** Ads that visitors can buy (services/catalog/PRODUCT.md#ads). */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('shortTitle'));
  const openDialog = useOpenDialog();
  return (
    <div className="page grid grid-cols-1 gap-8 py-6 lg:gap-12 lg:py-12">
      <header className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)] lg:items-end lg:gap-12">
        <div className="grid gap-2">
          <h1 className="text-heading lg:text-display">{t('title')}</h1>
          <p className="max-w-prose text-ink-soft">{t('lead')}</p>
        </div>
        <HeroStats />
      </header>
      <PackageCards of={OFFERED} action={t('getStarted')} />
      <section aria-labelledby="why-advertise" className="grid gap-4">
        <h2 id="why-advertise" className="text-heading">
          {t('why')}
        </h2>
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          {REASONS.map(([Icon, title, text]) => (
            <li key={title} className="grid content-start gap-1.5">
              <Icon aria-hidden className="size-6 text-accent-ink" />
              <h3 className="font-strong">{t(title)}</h3>
              <Meta>{t(text)}</Meta>
            </li>
          ))}
        </ul>
      </section>
      <section
        aria-label={t('contactSales')}
        className="flex flex-wrap items-center justify-between gap-4 rounded-lg border border-line bg-sunken p-5"
      >
        <p className="max-w-prose">{t('somethingElse')}</p>
        <Button variant="secondary" onClick={() => openDialog('contact')}>
          {t('contactSalesButton')}
        </Button>
      </section>
    </div>
  );
}
