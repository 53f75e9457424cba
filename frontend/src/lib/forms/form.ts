import { useEffect, useEffectEvent, useRef, type FormEvent } from 'react';
import { useForm, useWatch, type DefaultValues, type FieldErrors, type FieldValues, type Path } from 'react-hook-form';
import { config, type ZodType } from 'zod';
import { en } from 'zod/v4/locales';
import { focusFirstError } from '../../ui/field.tsx';
import { HttpError } from '../http/http.ts';
import { say } from '../i18n/problems.ts';
import { sayFault } from './say-fault.ts';

// Zod's error messages, for rules without a message of their own. The messages load with forms, not with the page
// (wordsWithForms of vite.config.ts).
config(en());

/** A message for each invalid field. */
export type Messages<Values> = Partial<Record<keyof Values, string>>;

/** The props that a field of `ui/` or `lib/event-form/` takes from its form. */
export interface Bound<Value> {
  name: string;
  value: Value;
  error: string | undefined;
  onChange(value: Value): void;
}

/** For each rejected field, the server's first message. An error at `tags.0` belongs to `tags`. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  const errors = (error instanceof HttpError && error.problem?.errors) || [];
  return Object.fromEntries(errors.toReversed().map((error) => [error.field.split('.')[0], say(error)]));
}

interface FormOptions<Values, Checked> {
  /** Validates the form before it is sent. */
  schema: ZodType<Checked, Values>;
  initial: Values;
  /** Sends the schema's output. */
  onSubmit: (checked: Checked) => void;
  /** Called when the form fails validation, so that nothing is sent. */
  onRefused?: (messages: Messages<Values>) => void;
  /** Called with the whole form after each change. */
  onChange?: (values: Values) => void;
  /** Why the last submission failed. */
  error: unknown;
  /** The messages in `error` about the form's own fields. */
  errorsOf?: (error: unknown) => Messages<Values>;
}

/**
 * A form's state (frontend/README.md). An error of the schema or the server is shown at its field until the field
 * changes; the first invalid field takes the focus.
 */
export function useFields<Values extends FieldValues, Checked>(options: FormOptions<Values, Checked>) {
  const { schema, initial, onSubmit, onRefused, onChange, error, errorsOf = fieldErrorsOf } = options;
  const form = useForm<Values, unknown, Checked>({
    defaultValues: initial as DefaultValues<Values>,
    shouldFocusError: false, // most controls are custom, which only `focusFirstError` can focus
    resolver: (typed) => {
      const { data, error: found } = schema.safeParse(typed);
      if (!found) return { values: data as Checked, errors: {} };
      const issues = found.issues
        .toReversed()
        .map(({ path, message }) => [path[0], { type: 'schema', message: sayFault(message) }]);
      return { values: {}, errors: Object.fromEntries(issues) as FieldErrors<Values> };
    },
  });
  const values = useWatch({ control: form.control }) as Values;
  const { errors } = form.formState;
  /** The submitted form, until its response arrives. */
  const sent = useRef<HTMLFormElement | null>(null);

  const change = (changed: Partial<Values>) => {
    for (const [name, value] of Object.entries(changed)) {
      form.setValue(name as Path<Values>, value as Values[Path<Values>]);
      form.clearErrors(name as Path<Values>);
    }
    onChange?.(form.getValues());
  };

  const ownErrors = (failure: unknown) => Object.entries(errorsOf(failure)).filter(([name]) => name in initial);
  const showFailure = useEffectEvent((failure: unknown) => {
    for (const [name, message] of ownErrors(failure))
      form.setError(name as Path<Values>, { message: message as string });
    focusFirstError(sent.current);
    sent.current = null;
  });
  useEffect(() => {
    if (error) showFailure(error);
  }, [error]);

  const refuse = (found: FieldErrors<Values>) => {
    onRefused?.(
      Object.fromEntries(Object.entries(found).map(([name, one]) => [name, one?.message])) as Messages<Values>,
    );
    focusFirstError(sent.current);
  };
  return {
    values,
    change,
    /** Value, message and change handler of one field, as props. */
    bind: <Name extends keyof Values & string>(name: Name): Bound<Values[Name]> => ({
      name,
      value: values[name],
      error: errors[name]?.message as string | undefined,
      onChange: (value) => change({ [name]: value } as unknown as Partial<Values>),
    }),
    /** Replaces all values and removes all messages. */
    reset: (to: Values) => form.reset(to),
    /** The error, unless its messages are shown at fields. */
    failure: error && ownErrors(error).length === 0 ? error : null,
    /** For the `form` element. */
    props: {
      noValidate: true,
      onSubmit(submitted: FormEvent<HTMLFormElement>) {
        sent.current = submitted.currentTarget;
        void form.handleSubmit(onSubmit, refuse)(submitted);
      },
    },
  };
}
