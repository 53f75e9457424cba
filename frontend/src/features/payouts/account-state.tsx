import type { PayoutAccountState } from '@beltway/contracts/payments/payouts';
import ExternalLink from 'lucide-react/icons/external-link';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { useDashboardUrl, useSetUp } from './set-up.ts';
import { texts } from './texts.en.ts';

interface Said {
  tone: BadgeTone;
  /** The action of the button; null: no action is needed. */
  action: 'noneAction' | 'onboardingAction' | 'restrictedAction' | null;
}

const SAID: Record<PayoutAccountState, Said> = {
  none: { tone: 'neutral', action: 'noneAction' },
  onboarding: { tone: 'warning', action: 'onboardingAction' },
  review: { tone: 'warning', action: null },
  restricted: { tone: 'danger', action: 'restrictedAction' },
  rejected: { tone: 'danger', action: null },
  ready: { tone: 'success', action: null },
};

/** The state of the payout setup, and the next step. */
export function AccountState({ state, heading: Heading }: { state: PayoutAccountState; heading: 'h1' | 'h2' | 'h3' }) {
  const t = useTexts(texts);
  const { start, isPending } = useSetUp();
  const dashboard = useDashboardUrl();
  const { tone, action } = SAID[state];
  return (
    <section aria-labelledby="payout-account" className="grid justify-items-start gap-3 rounded-lg bg-sunken p-5">
      <div className="flex flex-wrap items-center gap-3">
        <Heading id="payout-account" className="text-title">
          {t('account')}
        </Heading>
        <Badge tone={tone}>{t(state)}</Badge>
      </div>
      <p className="max-w-prose text-ink-soft">{t(`${state}Why`)}</p>
      {action !== null && (
        <Button onClick={() => void start()} pending={isPending}>
          {t(action)}
        </Button>
      )}
      {state !== 'none' && (
        <a
          href={dashboard}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex min-h-11 items-center gap-1.5"
        >
          {t('dashboardOf')}
          <ExternalLink aria-hidden className="size-4" />
          <span className="sr-only">{t('newTab')}</span>
        </a>
      )}
    </section>
  );
}
