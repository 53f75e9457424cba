import type { Event } from '@beltway/contracts/catalog/events';
import Share2 from 'lucide-react/icons/share-2';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { IconButton } from '../../ui/button.tsx';
import type { MenuProps } from '../../ui/menu-panel.tsx';
import { lazyMenu } from '../../ui/menu.tsx';
import { texts } from './texts.en.ts';

const Options = lazyMenu(async () => (await import('./share-options.tsx')).ShareOptions);

/** `trigger`: a custom button, such as one with a label. */
export function ShareMenu({ event, trigger }: { event: Event } & Partial<Pick<MenuProps, 'trigger'>>) {
  const t = useTexts(texts);
  const button = (
    <IconButton label={t('shareOf', { title: event.title })}>
      <Share2 aria-hidden />
    </IconButton>
  );
  return <Options event={event} trigger={trigger ?? button} />;
}
