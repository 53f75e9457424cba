import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useIsOpen } from '../../lib/card-form/settling.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { configQuery } from '../../lib/http/public-config.ts';
import { toast } from '../../ui/toast.ts';
import { accountLink } from './api.ts';
import { texts } from './texts.en.ts';

const DASHBOARD = 'https://dashboard.stripe.com/';

/** URL of the provider's dashboard, or of the sandbox page in embedded mode. */
export function useDashboardUrl(): string {
  const { data } = useQuery(configQuery());
  return data?.payments.sandbox ? '/dev/payments' : DASHBOARD;
}

/**
 * Starts or continues the setup of payouts on the provider's page. Without that page, opens the provider's dashboard in
 * a new tab and shows a toast (services/payments/PRODUCT.md#payouts).
 */
export function useSetUp(): { start: () => Promise<void>; isPending: boolean } {
  const t = useTexts(texts);
  const dashboard = useDashboardUrl();
  const [isPending, setPending] = useState(false);
  const isOpen = useIsOpen();
  const start = async () => {
    setPending(true);
    const link = await accountLink().catch(() => null);
    if (!isOpen.current) return;
    if (link) return window.location.assign(link);
    if (link === null) toast({ title: t('setUp'), description: t('setUpWhy') });
    setPending(false);
    window.open(dashboard, '_blank', 'noopener');
  };
  return { start, isPending };
}
