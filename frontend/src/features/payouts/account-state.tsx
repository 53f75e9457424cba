import type { PayoutAccountState } from '@beltway/contracts/payouts';
import { ExternalLink } from 'lucide-react';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { useDashboardUrl, useSetUp } from './set-up.ts';

interface Said {
  badge: string;
  tone: BadgeTone;
  text: string;
  /** What pressing the button does; null: there is nothing to do here. */
  action: string | null;
}

const SAID: Record<PayoutAccountState, Said> = {
  none: {
    badge: 'Not set up',
    tone: 'neutral',
    text: 'Connect a bank account with our card provider. What you have earned until then is kept for you.',
    action: 'Set Up Payouts',
  },
  onboarding: {
    badge: 'Not finished',
    tone: 'warning',
    text: 'The set-up is not finished. What you earn is kept for you until it is.',
    action: 'Continue Setup',
  },
  review: {
    badge: 'Under review',
    tone: 'warning',
    text: 'The card provider is looking at your details. That takes minutes, sometimes days; nothing is left for you to do.',
    action: null,
  },
  restricted: {
    badge: 'Details needed',
    tone: 'danger',
    text: 'The card provider needs something from you before it pays out again. What you earn is kept for you.',
    action: 'Add Details',
  },
  rejected: {
    badge: 'Refused',
    tone: 'danger',
    text: 'The card provider has refused this account. Please write to us: what you have earned is kept for you.',
    action: null,
  },
  ready: {
    badge: 'Ready',
    tone: 'success',
    text: 'What you sell goes to your account at the card provider with each ticket, and on to your bank every week.',
    action: null,
  },
};

/** Where the set-up of payouts stands, and what there is to do. */
export function AccountState({ state, heading: Heading }: { state: PayoutAccountState; heading: 'h1' | 'h2' | 'h3' }) {
  const { start, isPending } = useSetUp();
  const dashboard = useDashboardUrl();
  const { badge, tone, text, action } = SAID[state];
  return (
    <section aria-labelledby="payout-account" className="grid justify-items-start gap-3 rounded-lg bg-sunken p-5">
      <div className="flex flex-wrap items-center gap-3">
        <Heading id="payout-account" className="text-title">
          Payout account
        </Heading>
        <Badge tone={tone}>{badge}</Badge>
      </div>
      <p className="max-w-prose text-ink-soft">{text}</p>
      {action !== null && (
        <Button onClick={() => void start()} pending={isPending}>
          {action}
        </Button>
      )}
      {state !== 'none' && (
        <a
          href={dashboard}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex min-h-11 items-center gap-1.5"
        >
          The provider’s dashboard
          <ExternalLink aria-hidden className="size-4" />
          <span className="sr-only">(opens in a new tab)</span>
        </a>
      )}
    </section>
  );
}
