import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { buttonClass, type ButtonVariant } from '../../ui/button.tsx';
import { texts } from './texts.en.ts';

interface HeroProps {
  /** Left out before the script is there: the buttons are then links to what they lead to. */
  onFind?: () => void;
  onLaunch?: () => void;
  /** The next event. */
  children: ReactNode;
}

/** What Beltway is, in one breath, and the next event as proof: half a screen. */
export function Hero({ onFind, onLaunch, children }: HeroProps) {
  const t = useTexts(texts);
  return (
    <section aria-label={t('welcome')} className="overflow-hidden">
      <div className="page grid grid-cols-[minmax(0,1fr)] items-center gap-x-10 gap-y-6 pb-6 pt-16 max-[15rem]:pt-24 lg:grid-cols-[minmax(0,1fr)_33rem] lg:pb-8 lg:pt-14">
        <div>
          <h1 className="max-w-[13ch] text-display">{t('headline')}</h1>
          <p className="mt-3 max-w-[46ch] text-pretty text-ink-soft lg:mt-4 lg:text-title lg:leading-normal">
            <span className="max-lg:hidden">{t('leadWide')}</span>
            {t('lead')}
          </p>
          <div className="mt-4 flex flex-wrap gap-3 lg:mt-6">
            <Action href="#events" onClick={onFind}>
              {t('find')}
            </Action>
            <Action href="#launch" onClick={onLaunch} variant="secondary">
              {t('launch')}
            </Action>
          </div>
        </div>
        {children}
      </div>
    </section>
  );
}

interface ActionProps {
  href: string;
  onClick: (() => void) | undefined;
  variant?: ButtonVariant;
  children: string;
}

const Action = ({ href, onClick, variant, children }: ActionProps) =>
  onClick ? (
    <button type="button" onClick={onClick} className={buttonClass(variant)}>
      {children}
    </button>
  ) : (
    <a href={href} className={buttonClass(variant)}>
      {children}
    </a>
  );
