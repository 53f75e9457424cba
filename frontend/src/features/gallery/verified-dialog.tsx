import { AskVerificationBody, type UploadRights } from '@beltway/contracts/gallery';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { BadgeCheck, Clock } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useFields } from '../../lib/form.ts';
import { formatLongDate } from '../../lib/format.ts';
import { explain } from '../../lib/http.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Textarea, TextField } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.ts';
import { askVerification, rightsQuery } from './api.ts';

interface VerifiedDialogProps {
  rights: UploadRights;
  onClose: () => void;
  /** Opens the upload instead. */
  onUpload: () => void;
}

/** Get Verified: how one is verified, for which events one is, and for a business the way to an admin's look. */
export function VerifiedDialog({ rights, onClose, onUpload }: VerifiedDialogProps) {
  const { events, business } = rights;
  const canUpload = rights.mayUploadForAll || events.some(({ hasBegun }) => hasBegun);
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Get Verified"
      description="Photos in the gallery come from people who were there."
      footer={
        canUpload ? <Button onClick={onUpload}>Upload Photo</Button> : <ButtonLink to="/">Find an event</ButtonLink>
      }
    >
      <div className="grid gap-5 pt-1">
        <section className="grid gap-2">
          <h3 className="text-title">With a ticket</h3>
          <p className="text-ink-soft">
            Who holds a ticket of an event is verified for it once it has begun. Your photos of it are then shown at
            once.
          </p>
          {events.length > 0 ? (
            <ul aria-label="Your events" className="grid gap-2">
              {events.map(({ eventId, title, startsAt, hasBegun }) => (
                <li
                  key={eventId}
                  className="flex flex-wrap items-center justify-between gap-2 rounded-md border border-line px-3 py-2"
                >
                  <span className="min-w-0">
                    <Link
                      to={`/event/${eventId}`}
                      className="inline-flex min-h-11 items-center font-strong underline-offset-4 hover:underline"
                    >
                      {title}
                    </Link>
                    <span className="block text-note text-ink-soft">{formatLongDate(startsAt)}</span>
                  </span>
                  {hasBegun ? (
                    <Badge tone="success">
                      <BadgeCheck aria-hidden />
                      Verified
                    </Badge>
                  ) : (
                    <Badge>
                      <Clock aria-hidden />
                      Once it begins
                    </Badge>
                  )}
                </li>
              ))}
            </ul>
          ) : (
            <p>
              You hold no ticket of an event yet. A ticket that was bought without an account counts once it is saved to
              yours.
            </p>
          )}
        </section>
        {business && <Business business={business} />}
      </div>
    </Dialog>
  );
}

function Business({ business }: { business: NonNullable<UploadRights['business']> }) {
  const queries = useQueryClient();
  const ask = useMutation({
    mutationFn: askVerification,
    onSuccess: (rights) => {
      queries.setQueryData(rightsQuery().queryKey, rights);
      toast({ title: 'We will have a look', description: 'An admin looks at your business.' });
    },
  });
  const form = useFields({
    schema: AskVerificationBody,
    initial: { businessName: business.businessName ?? '', about: business.about ?? '' },
    onSubmit: (checked) => ask.mutate(checked),
    error: ask.error,
  });
  return (
    <section className="grid gap-2">
      <h3 className="text-title">As a business</h3>
      {business.state === 'verified' ? (
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone="success">
            <BadgeCheck aria-hidden />
            Verified
          </Badge>
          Your photos of events that have begun are shown at once.
        </p>
      ) : business.state === 'asked' ? (
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone="warning">
            <Clock aria-hidden />
            Waiting for an admin
          </Badge>
          Until then an admin looks at each of your photos.
        </p>
      ) : (
        <form {...form.props} aria-label="Ask for verification" className="grid gap-4">
          <p className="text-ink-soft">
            {business.state === 'declined' && 'An admin said no to your last request. '}
            An admin looks at your business once; then your photos need no look each. Until then you can upload, and
            each photo waits for one.
          </p>
          <TextField {...form.bind('businessName')} label="Name of your business" maxLength={100} />
          <TextField
            {...form.bind('about')}
            label="How you take part in events"
            as={Textarea}
            rows={3}
            maxLength={500}
            hint="Venue, organiser, photographer: what helps an admin to know you."
          />
          {form.failure && (
            <p role="alert" className="text-note text-danger-ink">
              {explain(form.failure)}
            </p>
          )}
          <Button type="submit" variant="secondary" pending={ask.isPending} className="justify-self-start">
            {ask.isPending ? 'Asking…' : 'Ask for a look'}
          </Button>
        </form>
      )}
    </section>
  );
}
