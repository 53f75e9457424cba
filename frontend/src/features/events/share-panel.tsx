import type { Event } from '@beltway/contracts/catalog/events';
import X from 'lucide-react/icons/x';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { useShareItems } from './share-items.tsx';
import { texts } from './share.texts.en.ts';

/** Shown above an event that was just launched, to share it. */
export function SharePanel({ event, onClose }: { event: Event; onClose: () => void }) {
  const t = useTexts(texts);
  return (
    <section
      aria-labelledby="share-title"
      className="relative grid gap-4 rounded-lg bg-accent-soft p-5 sm:px-6 lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center lg:gap-x-10 lg:pe-16"
    >
      <div className="max-lg:pe-9">
        <h2 id="share-title" className="text-title">
          {t('isLive')}
        </h2>
        <p className="mt-1 text-balance text-ink-soft">{t('isLiveWhy')}</p>
      </div>
      <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        {useShareItems(event)
          .toReversed()
          .map(({ label, short, icon, onSelect }, at) => (
            <Button
              key={label}
              variant={at === 0 ? 'primary' : 'secondary'}
              aria-label={label}
              className={cx('px-4 [&_svg]:size-4', at === 0 && 'max-sm:col-span-2')}
              onClick={onSelect}
            >
              {icon}
              {short}
            </Button>
          ))}
      </div>
      <IconButton label={t('close')} className="absolute end-1.5 top-1.5" onClick={onClose}>
        <X aria-hidden />
      </IconButton>
    </section>
  );
}
