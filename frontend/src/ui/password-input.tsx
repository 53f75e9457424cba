import { Eye, EyeOff } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import { IconButton } from './button.tsx';
import { Input } from './field.tsx';

/** A password with a button that shows it, instead of a second field to repeat it. */
export function PasswordInput(props: Omit<ComponentProps<'input'>, 'type'>) {
  const [shown, setShown] = useState(false);
  return (
    <div className="relative">
      <Input {...props} type={shown ? 'text' : 'password'} autoCapitalize="none" spellCheck={false} className="pr-12" />
      <IconButton
        label={shown ? 'Hide password' : 'Show password'}
        className="absolute inset-y-0 right-0"
        onClick={() => setShown(!shown)}
      >
        {shown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
      </IconButton>
    </div>
  );
}
