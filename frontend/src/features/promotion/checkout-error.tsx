import type { ComponentProps } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { explain, HttpError, isPassing } from '../../lib/http/http.ts';
import { PageMessage } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states.tsx';
import type { PromotionPackage } from './packages.ts';
import { texts } from './texts.en.ts';

/**
 * The server's reason for refusing a promotion; for temporary failures, the fixed text
 * (frontend/PRODUCT.md#fixed-texts).
 */
export const reasonOf = (error: unknown, { notBegun }: PromotionPackage): string =>
  error instanceof HttpError && error.problem && !isPassing(error) ? explain(error) : notBegun;

/** The error screen of services/catalog/PRODUCT.md#promotion, with a link to return. */
export const CheckoutError = (props: Omit<ComponentProps<typeof ErrorState>, 'title' | 'heading'>) => (
  <PageMessage>
    <ErrorState heading="h1" title={useTexts(texts)('checkoutError')} {...props} />
  </PageMessage>
);
