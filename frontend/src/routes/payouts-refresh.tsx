import { useEffect, useRef } from 'react';
import { useSetUp } from '../features/payouts/set-up.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { Button, ButtonLink } from '../ui/button.tsx';

/** Where the provider leads when a link to its set-up is used or too old: on to a fresh one. */
export function Component() {
  usePageTitle('Payout setup');
  const { start, isPending } = useSetUp();
  const isStarted = useRef(false);
  useEffect(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    void start();
  }, [start]);
  return (
    <div className="page grid justify-items-start gap-4 py-8 lg:py-12">
      <h1 className="text-heading">Payout setup</h1>
      <p className="max-w-prose text-ink-soft">
        The link to the setup was used or is too old. A fresh one takes you there at once.
      </p>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => void start()} pending={isPending}>
          Continue Setup
        </Button>
        <ButtonLink to="/dashboard" variant="secondary">
          Your dashboard
        </ButtonLink>
      </div>
    </div>
  );
}
