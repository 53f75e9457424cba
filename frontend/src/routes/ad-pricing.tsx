import { AD_PACKAGES } from '@beltway/contracts/ads';
import { BadgeCheck, ChartNoAxesColumn, MapPin, Megaphone, type LucideIcon } from 'lucide-react';
import { HeroStats } from '../features/advertise/hero-stats.tsx';
import { PackageCards } from '../features/advertise/package-card.tsx';
import { useOpenDialog } from '../layout/header-dialogs.tsx';
import { usePageTitle } from '../lib/page-title.ts';
import { Button } from '../ui/button.tsx';

const OFFERED = AD_PACKAGES.filter(({ offeredBy }) => offeredBy === 'pricing');

const REASONS: Array<{ icon: LucideIcon; title: string; text: string }> = [
  {
    icon: Megaphone,
    title: 'Seen by people on their way out',
    text: 'Your ad stands between the events that people choose from tonight and this weekend.',
  },
  { icon: MapPin, title: 'Only around here', text: 'Visitors look for what is on in DC, Maryland and Virginia.' },
  {
    icon: ChartNoAxesColumn,
    title: 'Figures you can check',
    text: 'You see how often your ad was seen and clicked. Only what was really on a screen counts.',
  },
  {
    icon: BadgeCheck,
    title: 'Honest places',
    text: 'Every ad is looked at before it runs and says ‘Sponsored’. No network follows your customers.',
  },
];

/** Ads that can be bought (docs/product.md#ads). */
export function Component() {
  usePageTitle('Advertise on Beltway');
  const openDialog = useOpenDialog();
  return (
    <div className="page grid grid-cols-1 gap-8 py-6 lg:gap-12 lg:py-12">
      <header className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)] lg:items-end lg:gap-12">
        <div className="grid gap-2">
          <h1 className="text-heading lg:text-display">Advertise on Beltway</h1>
          <p className="max-w-prose text-ink-soft">
            Put your venue or event in front of people who are choosing where to go. Paid once; your time begins when
            your ad is approved.
          </p>
        </div>
        <HeroStats />
      </header>
      <PackageCards of={OFFERED} action="Get Started" />
      <section aria-labelledby="why-advertise" className="grid gap-4">
        <h2 id="why-advertise" className="text-heading">
          Why advertise
        </h2>
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          {REASONS.map(({ icon: Icon, title, text }) => (
            <li key={title} className="grid content-start gap-1.5">
              <Icon aria-hidden className="size-6 text-accent-ink" />
              <h3 className="font-strong">{title}</h3>
              <p className="text-note text-ink-soft">{text}</p>
            </li>
          ))}
        </ul>
      </section>
      <section
        aria-label="Contact sales"
        className="flex flex-wrap items-center justify-between gap-4 rounded-lg border border-line bg-sunken p-5"
      >
        <p className="max-w-prose">Something else in mind, or a question before you book? Tell us.</p>
        <Button variant="secondary" onClick={() => openDialog('contact')}>
          Contact Sales
        </Button>
      </section>
    </div>
  );
}
