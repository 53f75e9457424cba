import type { AdBusinessInfo } from '@beltway/contracts/payments/ads';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useFields } from '../../lib/forms/form.ts';
import { formatCents } from '../../lib/i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { Textarea, TextField } from '../../ui/field.tsx';
import { errorsOfBusiness } from './api.ts';
import { ToPay, type TypedBusiness } from './draft.ts';
import { texts } from './texts.en.ts';

interface BusinessFormProps {
  initial: TypedBusiness;
  cents: number;
  pending: boolean;
  /** The error of the last attempt to submit. */
  error: unknown;
  onChange: (typed: TypedBusiness) => void;
  /** Called when a field has lost the focus. */
  onLeave: () => void;
  onContinue: (business: AdBusinessInfo) => void;
}

/** The form for the business that buys the ad, and for the advertised event. */
export function BusinessForm(props: BusinessFormProps) {
  const t = useTexts(texts);
  const { initial, cents, pending, error, onChange, onLeave, onContinue } = props;
  const form = useFields({
    schema: ToPay,
    initial,
    onSubmit: onContinue,
    onChange,
    error,
    errorsOf: errorsOfBusiness,
  });
  return (
    <form {...form.props} onBlur={onLeave} aria-label={t('yourBusiness')} className="grid grid-cols-1 gap-5">
      <TextField
        {...form.bind('businessName')}
        label={t('businessName')}
        autoComplete="organization"
        required
        maxLength={120}
      />
      <TextField
        {...form.bind('contactEmail')}
        label={t('contactEmail')}
        hint={t('contactEmailHint')}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        required
        maxLength={254}
      />
      <TextField
        {...form.bind('phone')}
        label={t('phone')}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        optional
        maxLength={40}
      />
      <TextField {...form.bind('eventTitle')} label={t('eventTitle')} required maxLength={120} />
      <TextField
        {...form.bind('eventDescription')}
        as={Textarea}
        rows={4}
        label={t('eventDescription')}
        optional
        maxLength={2_000}
      />
      <TextField
        {...form.bind('specialRequests')}
        as={Textarea}
        rows={3}
        label={t('specialRequests')}
        optional
        maxLength={2_000}
      />
      <Button type="submit" pending={pending} className="lg:justify-self-start">
        {pending ? t('preparing') : t('continue', { price: formatCents(cents) })}
      </Button>
    </form>
  );
}
