import { adPackage, type AdPackageId } from '@beltway/contracts/payments/ads';
import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { CheckingPayment } from '../../lib/card-form/checking-payment.tsx';
import { untilSettled } from '../../lib/card-form/settling.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { ContactLink } from '../../lib/navigation/contact-link.tsx';
import { explain, HttpError } from '../../lib/http/http.ts';
import { configQuery } from '../../lib/http/public-config.ts';
import { usePackages } from '../../lib/ads/package-names.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { PageMessage } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { askAdPayment } from './api.ts';
import { adDraft } from './draft.ts';
import { adCheckoutPath } from './paths.ts';
import { texts } from './texts.en.ts';

const NEXT_STEPS = ['step1', 'step2', 'step3'] as const;

function Buttons() {
  const t = useTexts(texts);
  return (
    <>
      <ButtonLink to="/">{t('backHome')}</ButtonLink>
      <ButtonLink to="/ad-pricing" variant="secondary">
        {t('viewPackages')}
      </ButtonLink>
    </>
  );
}

/** The outcome of an ad's payment, polled until the payment is settled. */
export function AdOutcome({ clientSecret }: { clientSecret: string }) {
  const t = useTexts(texts);
  const outcome = useQuery({
    queryKey: ['ad-outcome', clientSecret],
    queryFn: () => askAdPayment(clientSecret),
    ...untilSettled,
  });
  const { data } = outcome;
  useEffect(() => {
    if (data?.status === 'paid' || data?.status === 'refunded') adDraft.drop();
  }, [data]);
  if (data) return page(<Settled {...data} />);
  if (outcome.error instanceof HttpError && outcome.error.status === 404) return <NoPayment />;
  if (outcome.isError)
    return page(
      <ErrorState
        heading="h1"
        title={t('notChecked')}
        message={explain(outcome.error)}
        onRetry={() => void outcome.refetch()}
        retrying={outcome.isFetching}
      />,
    );
  return <CheckingPayment trouble={outcome.failureReason} anyway={t('anyway')} />;
}

const page = (content: ReactNode) => <PageMessage>{content}</PageMessage>;

function Settled({ status, packageId }: { status: string; packageId: AdPackageId }) {
  const t = useTexts(texts);
  const { nameOf, timeOf } = usePackages();
  const bought = adPackage(packageId);
  const name = bought ? nameOf(bought) : packageId;
  switch (status) {
    case 'paid':
      return (
        <EmptyState heading="h1" title={t('paid')} action={<Buttons />}>
          <div className="grid gap-4">
            <p>
              {t.rich('booked', {
                name,
                duration: bought ? timeOf(bought) : '',
                b: (words) => <b className="text-ink">{words}</b>,
              })}
            </p>
            <section aria-label={t('nextSteps')} className="grid gap-2">
              <h2 className="text-title text-ink">{t('nextSteps')}</h2>
              <ol className="grid list-decimal gap-1.5 pl-5">
                {NEXT_STEPS.map((step) => (
                  <li key={step}>{t(step)}</li>
                ))}
              </ol>
            </section>
            <SupportContact />
          </div>
        </EmptyState>
      );
    case 'processing':
      return (
        <EmptyState heading="h1" title={t('processing')} action={<Buttons />}>
          <div className="grid gap-4">
            <p>{t('processingWhy', { name })}</p>
            <SupportContact />
          </div>
        </EmptyState>
      );
    case 'refunded':
      return (
        <EmptyState heading="h1" title={t('refunded')} action={<Buttons />}>
          <div className="grid gap-4">
            <p>{t('refundedWhy', { name })}</p>
            <SupportContact />
          </div>
        </EmptyState>
      );
    default:
      return (
        <EmptyState
          heading="h1"
          title={t('failed')}
          action={
            <>
              <ButtonLink to={adCheckoutPath(packageId)}>{t('tryAgain')}</ButtonLink>
              <ButtonLink to="/ad-pricing" variant="secondary">
                {t('viewPackages')}
              </ButtonLink>
            </>
          }
        >
          {t('failedWhy')}
        </EmptyState>
      );
  }
}

/** Shown when the URL names no payment, or a payment that the server does not know. */
export function NoPayment() {
  const t = useTexts(texts);
  return page(
    <EmptyState heading="h1" title={t('notFound')} action={<Buttons />}>
      <div className="grid gap-4">
        <p>{t('notFoundWhy')}</p>
        <SupportContact />
      </div>
    </EmptyState>,
  );
}

function SupportContact() {
  const t = useTexts(texts);
  const email = useQuery(configQuery()).data?.supportEmail;
  return (
    <p>
      {email
        ? t.rich('questionsMail', {
            mail: () => (
              <a href={`mailto:${email}`} className="text-ink underline wrap-anywhere">
                {email}
              </a>
            ),
          })
        : t.rich('questions', {
            contact: () => (
              <span className="text-ink underline">
                <ContactLink>{t('writeToUs')}</ContactLink>
              </span>
            ),
          })}
    </p>
  );
}
