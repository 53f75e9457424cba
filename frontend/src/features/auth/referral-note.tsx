import { ReferralCodeFound, referralCodeFrom } from '@beltway/contracts/identity/referrals';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { HttpError } from '../../lib/http/http.ts';
import { apiQuery } from '../../lib/http/query.ts';
import { Button } from '../../ui/button.tsx';
import { texts } from './texts.en.ts';

/** The code of the link that led here (`?ref=`), until it is left out. `toSend`: undefined of one that is not known. */
export function useReferral() {
  const [params] = useSearchParams();
  const [isLeftOut, leaveOut] = useState(false);
  const given = params.get('ref');
  const code = given === null ? undefined : referralCodeFrom(given);
  const found = useQuery({
    ...apiQuery(ReferralCodeFound, '/api/referral-codes', code ?? ''),
    enabled: code !== undefined && !isLeftOut,
  });
  // What cannot be asked for now may be known all the same: the server leaves out what is not.
  const isUnknown =
    given !== null && (code === undefined || (found.error instanceof HttpError && found.error.status === 404));
  const toSend = isUnknown || isLeftOut ? undefined : code;
  return { isGiven: given !== null, isUnknown, isLeftOut, code, toSend, leaveOut: () => leaveOut(true) };
}

/** Says by which code one registers, with the way to do without. */
export function ReferralNote({
  referral: { isGiven, isUnknown, isLeftOut, code, leaveOut },
}: {
  referral: ReturnType<typeof useReferral>;
}) {
  const t = useTexts(texts);
  const place = useRef<HTMLParagraphElement>(null);
  if (!isGiven) return null;
  const note = isUnknown ? t('referralUnknown') : t('referral', { code: code ?? '' });
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-md bg-sunken px-4 py-3">
      <p ref={place} tabIndex={-1} role="status" className="min-w-0 flex-1 basis-56 text-note outline-none">
        {isLeftOut ? t('referralLeftOut') : note}
      </p>
      {!isLeftOut && (
        <Button
          variant="quiet"
          className="-mx-2 px-2 underline underline-offset-4"
          onClick={() => {
            leaveOut();
            // The button is gone after this.
            place.current?.focus();
          }}
        >
          {t('referralLeaveOut')}
        </Button>
      )}
    </div>
  );
}
