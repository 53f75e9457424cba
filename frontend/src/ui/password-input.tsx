import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import { useState, type ComponentProps } from 'react';
import { textsNow } from '../lib/i18n/catalog.ts';
import { IconButton } from './button.tsx';
import { Input } from './field.tsx';
import { texts } from './texts.en.ts';

/** A password field with a button that shows the password, instead of a second field to repeat it. */
export function PasswordInput(props: Omit<ComponentProps<'input'>, 'type'>) {
  const t = textsNow(texts);
  const [shown, setShown] = useState(false);
  return (
    <div className="relative">
      <Input {...props} type={shown ? 'text' : 'password'} autoCapitalize="none" spellCheck={false} className="pe-12" />
      <IconButton
        label={shown ? t('hidePassword') : t('showPassword')}
        className="absolute inset-y-0 end-0"
        onClick={() => setShown(!shown)}
      >
        {shown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
      </IconButton>
    </div>
  );
}
