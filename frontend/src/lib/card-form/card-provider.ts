import type { Stripe } from '@stripe/stripe-js';
import { queryOptions } from '@tanstack/react-query';
import { textsNow } from '../i18n/catalog.ts';
import { publicConfig } from '../http/public-config.ts';
import { texts } from './texts.en.ts';

/** Loads the configured card provider: Stripe, or the sandbox's object of the same shape. */
export const providerQuery = queryOptions({
  queryKey: ['card-provider'],
  queryFn: async ({ signal }): Promise<{ stripe: Stripe; sandbox: boolean }> => {
    const { payments } = await publicConfig({ signal });
    if (payments.sandbox) {
      const { createSandboxStripe } = await import('../../sandbox-stripe/index.ts');
      return { stripe: createSandboxStripe(payments), sandbox: true };
    }
    const { loadStripe } = await import('@stripe/stripe-js');
    const stripe = await loadStripe(payments.publishableKey);
    if (!stripe) throw new Error(textsNow(texts)('notLoaded'));
    return { stripe, sandbox: false };
  },
});
