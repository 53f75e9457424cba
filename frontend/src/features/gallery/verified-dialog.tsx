import { AskVerificationBody, type UploadRights } from '@beltway/contracts/media/gallery';
import { useQueryClient } from '@tanstack/react-query';
import BadgeCheck from 'lucide-react/icons/badge-check';
import Clock from 'lucide-react/icons/clock';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useFields } from '../../lib/forms/form.ts';
import { formatLongDate } from '../../lib/i18n/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Textarea, TextField } from '../../ui/field.tsx';
import { Meta } from '../../ui/meta.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { useAction } from '../../lib/actions/use-action.ts';
import { askVerification, rightsQuery } from './api.ts';
import { texts } from './texts.en.ts';

interface VerifiedDialogProps {
  rights: UploadRights;
  onClose: () => void;
  /** Opens the upload dialog instead. */
  onUpload: () => void;
}

/**
 * Get Verified: explains verification, lists the events for which the account is verified, and lets a business request
 * a review.
 */
export function VerifiedDialog({ rights, onClose, onUpload }: VerifiedDialogProps) {
  const t = useTexts(texts);
  const { events, business } = rights;
  const canUpload = rights.mayUploadForAll || events.some(({ hasBegun }) => hasBegun);
  return (
    <Dialog
      onClose={onClose}
      title={t('getVerified')}
      description={t('verifiedWhy')}
      footer={
        canUpload ? (
          <Button onClick={onUpload}>{t('uploadPhoto')}</Button>
        ) : (
          <ButtonLink to="/">{t('findEvent')}</ButtonLink>
        )
      }
    >
      <div className="grid gap-5 pt-1">
        <section className="grid gap-2">
          <h3 className="text-title">{t('withTicket')}</h3>
          <p className="text-ink-soft">{t('withTicketWhy')}</p>
          {events.length > 0 ? (
            <ul aria-label={t('yourEvents')} className="grid gap-2">
              {events.map(({ eventId, title, startsAt, hasBegun }) => (
                <li
                  key={eventId}
                  className="flex flex-wrap items-center justify-between gap-2 rounded-md border border-line px-3 py-2"
                >
                  <span className="min-w-0">
                    <TextLink quiet to={`/event/${eventId}`} className="font-strong">
                      {title}
                    </TextLink>
                    <Meta as="span" className="block">
                      {formatLongDate(startsAt)}
                    </Meta>
                  </span>
                  {hasBegun ? (
                    <Badge tone="success">
                      <BadgeCheck aria-hidden />
                      {t('isVerified')}
                    </Badge>
                  ) : (
                    <Badge>
                      <Clock aria-hidden />
                      {t('onceItBegins')}
                    </Badge>
                  )}
                </li>
              ))}
            </ul>
          ) : (
            <p>{t('noTicket')}</p>
          )}
        </section>
        {business && <Business business={business} />}
      </div>
    </Dialog>
  );
}

function Business({ business }: { business: NonNullable<UploadRights['business']> }) {
  const t = useTexts(texts);
  const queries = useQueryClient();
  const ask = useAction({
    mutationFn: askVerification,
    onSuccess: (rights) => queries.setQueryData(rightsQuery().queryKey, rights),
  });
  const form = useFields({
    schema: AskVerificationBody,
    initial: { businessName: business.businessName ?? '', about: business.about ?? '' },
    onSubmit: (checked) => ask.mutate(checked),
    error: ask.error,
  });
  return (
    <section className="grid gap-2">
      <h3 className="text-title">{t('asBusiness')}</h3>
      {business.state === 'verified' ? (
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone="success">
            <BadgeCheck aria-hidden />
            {t('isVerified')}
          </Badge>
          {t('shownAtOnce')}
        </p>
      ) : business.state === 'asked' ? (
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone="warning">
            <Clock aria-hidden />
            {t('waiting')}
          </Badge>
          {t('untilThen')}
        </p>
      ) : (
        <form {...form.props} aria-label={t('askForVerification')} className="grid gap-4">
          <p className="text-ink-soft">
            {business.state === 'declined' && t('declined')}
            {t('businessWhy')}
          </p>
          <TextField {...form.bind('businessName')} label={t('businessName')} maxLength={100} />
          <TextField
            {...form.bind('about')}
            label={t('takePart')}
            as={Textarea}
            rows={3}
            maxLength={500}
            hint={t('takePartHint')}
          />
          <Failure of={form.failure} />
          <Button type="submit" variant="secondary" pending={ask.isPending} className="justify-self-start">
            {ask.isPending ? t('asking') : t('ask')}
          </Button>
        </form>
      )}
    </section>
  );
}
