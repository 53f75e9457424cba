import { adPackage, type AdPackageId } from '@beltway/contracts/ads';
import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { CheckingPayment } from '../../lib/card-form/checking-payment.tsx';
import { untilSettled } from '../../lib/card-form/settling.ts';
import { ContactLink } from '../../lib/contact-link.tsx';
import { explain, HttpError } from '../../lib/http.ts';
import { configQuery } from '../../lib/public-config.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { askAdPayment } from './api.ts';
import { adDraft } from './draft.ts';
import { adCheckoutPath } from './paths.ts';

const NEXT_STEPS = [
  'Within 5 minutes: a confirmation email with the link where you send us picture and link of your ad.',
  'Within 24 hours of that: we contact you about your campaign setup.',
  'Within 48 hours: your ad is launched.',
];

const buttons = (
  <>
    <ButtonLink to="/">Back to Home</ButtonLink>
    <ButtonLink to="/ad-pricing" variant="secondary">
      View Ad Packages
    </ButtonLink>
  </>
);

/** What became of the payment of an ad; asks until it is settled. */
export function AdOutcome({ clientSecret }: { clientSecret: string }) {
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
        title="Your payment could not be checked"
        message={explain(outcome.error)}
        onRetry={() => void outcome.refetch()}
        retrying={outcome.isFetching}
      />,
    );
  return <CheckingPayment trouble={outcome.failureReason} anyway="your ad is booked if you have paid" />;
}

const page = (content: ReactNode) => <div className="page py-12">{content}</div>;

function Settled({ status, packageId }: { status: string; packageId: AdPackageId }) {
  const bought = adPackage(packageId);
  switch (status) {
    case 'paid':
      return (
        <EmptyState heading="h1" title="Payment Successful!" action={buttons}>
          <div className="grid gap-4">
            <p>
              You have booked <b className="text-ink">{bought?.name}</b> for {bought?.duration}.
            </p>
            <section aria-label="Next steps" className="grid gap-2">
              <h2 className="text-title text-ink">Next steps</h2>
              <ol className="grid list-decimal gap-1.5 pl-5">
                {NEXT_STEPS.map((step) => (
                  <li key={step}>{step}</li>
                ))}
              </ol>
            </section>
            <SupportContact />
          </div>
        </EmptyState>
      );
    case 'processing':
      return (
        <EmptyState heading="h1" title="Your payment is being processed" action={buttons}>
          <div className="grid gap-4">
            <p>
              Please do not pay again. {bought?.name} is booked by itself as soon as the payment is through; this page
              need not stay open.
            </p>
            <SupportContact />
          </div>
        </EmptyState>
      );
    case 'refunded':
      return (
        <EmptyState heading="h1" title="Your money went back" action={buttons}>
          <div className="grid gap-4">
            <p>What you paid for {bought?.name} went back to your card.</p>
            <SupportContact />
          </div>
        </EmptyState>
      );
    default:
      return (
        <EmptyState
          heading="h1"
          title="Payment Failed"
          action={
            <>
              <ButtonLink to={adCheckoutPath(packageId)}>Try again</ButtonLink>
              <ButtonLink to="/ad-pricing" variant="secondary">
                View Ad Packages
              </ButtonLink>
            </>
          }
        >
          This payment has not gone through. Nothing was charged, and nothing was booked.
        </EmptyState>
      );
  }
}

/** No payment at this address, or one that cannot be known any more. */
export const NoPayment = () =>
  page(
    <EmptyState heading="h1" title="Payment Not Found" action={buttons}>
      <div className="grid gap-4">
        <p>There is no payment at this address. If you have paid for an ad, its confirmation is in your mail.</p>
        <SupportContact />
      </div>
    </EmptyState>,
  );

function SupportContact() {
  const email = useQuery(configQuery()).data?.supportEmail;
  return (
    <p>
      Questions?{' '}
      {email ? (
        <>
          Write to{' '}
          <a href={`mailto:${email}`} className="text-ink underline [overflow-wrap:anywhere]">
            {email}
          </a>
        </>
      ) : (
        <span className="text-ink underline">
          <ContactLink>Write to us</ContactLink>
        </span>
      )}
      .
    </p>
  );
}
