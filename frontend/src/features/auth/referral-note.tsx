import { ReferralCodeFound, referralCodeFrom } from '@beltway/contracts/identity/referrals';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { HttpError } from '../../lib/http/http.ts';
import { apiQuery } from '../../lib/http/query.ts';
import { Button } from '../../ui/button.tsx';
import { texts } from './texts.en.ts';

/** The referral code from `?ref=`. `toSend` is undefined if the code is unknown or the visitor removed it. */
export function useReferral() {
  const [params] = useSearchParams();
  const [isLeftOut, leaveOut] = useState(false);
  const given = params.get('ref');
  const code = given === null ? undefined : referralCodeFrom(given);
  const found = useQuery({
    ...apiQuery(ReferralCodeFound, '/api/referral-codes', code ?? ''),
    enabled: code !== undefined && !isLeftOut,
  });
  // A code that cannot be checked now may be valid, so it is sent anyway; the server ignores invalid codes.
  const isUnknown =
    given !== null && (code === undefined || (found.error instanceof HttpError && found.error.status === 404));
  const toSend = isUnknown || isLeftOut ? undefined : code;
  return { isGiven: given !== null, isUnknown, isLeftOut, code, toSend, leaveOut: () => leaveOut(true) };
}

/** Shows the referral code that registering will use, with a button to remove the code. */
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
            // Moves the focus, because the pressed button was removed.
            place.current?.focus();
          }}
        >
          {t('referralLeaveOut')}
        </Button>
      )}
    </div>
  );
}
