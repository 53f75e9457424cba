import { AdBusinessInfo } from '@beltway/contracts/ads';
import { lineText } from '@beltway/contracts/text';
import type { ZodType } from 'zod';
import { useFields } from '../../lib/form.ts';
import { formatCents } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Textarea, TextField } from '../../ui/field.tsx';
import { errorsOfBusiness } from './api.ts';
import type { TypedBusiness } from './draft.ts';

/** To pay, the event's title is needed too. */
const ToPay = AdBusinessInfo.extend({
  eventTitle: lineText(120, 'Please enter the title of your event'),
}) as unknown as ZodType<AdBusinessInfo, TypedBusiness>;

interface BusinessFormProps {
  initial: TypedBusiness;
  cents: number;
  pending: boolean;
  /** Why the last try to send it failed. */
  error: unknown;
  onChange: (typed: TypedBusiness) => void;
  /** A field was left. */
  onLeave: () => void;
  onContinue: (business: AdBusinessInfo) => void;
}

/** Who buys the ad, and for what. */
export function BusinessForm(props: BusinessFormProps) {
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
    <form {...form.props} onBlur={onLeave} aria-label="Your business" className="grid grid-cols-1 gap-5">
      <TextField
        {...form.bind('businessName')}
        label="Business name"
        autoComplete="organization"
        required
        maxLength={120}
      />
      <TextField
        {...form.bind('contactEmail')}
        label="Contact email"
        hint="The link where you send us picture and link of your ad goes here."
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        required
        maxLength={254}
      />
      <TextField
        {...form.bind('phone')}
        label="Phone"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        optional
        maxLength={40}
      />
      <TextField {...form.bind('eventTitle')} label="Event title" required maxLength={120} />
      <TextField
        {...form.bind('eventDescription')}
        as={Textarea}
        rows={4}
        label="Event description"
        optional
        maxLength={2_000}
      />
      <TextField
        {...form.bind('specialRequests')}
        as={Textarea}
        rows={3}
        label="Special requests"
        optional
        maxLength={2_000}
      />
      <Button type="submit" pending={pending} className="lg:justify-self-start">
        {pending ? 'Preparing the payment…' : `Continue to payment · ${formatCents(cents)}`}
      </Button>
    </form>
  );
}
