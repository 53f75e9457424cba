import { useEffect, useEffectEvent, useRef, type FormEvent } from 'react';
import { useForm, useWatch, type DefaultValues, type FieldErrors, type FieldValues, type Path } from 'react-hook-form';
import { config, type ZodType } from 'zod';
import { en } from 'zod/v4/locales';
import { focusFirstError } from '../../ui/field.tsx';
import { HttpError } from '../http/http.ts';
import { say } from '../i18n/problems.ts';
import { sayFault } from './say-fault.ts';

// What a schema says that has no words of its own: the page's first load does without (wordsWithForms of vite.config.ts).
config(en());

/** A message for each field that is wrong. */
export type Messages<Values> = Partial<Record<keyof Values, string>>;

/** What a field of `ui/` and `lib/event-form/` takes from its form. */
export interface Bound<Value> {
  name: string;
  value: Value;
  error: string | undefined;
  onChange(value: Value): void;
}

/** The fields that an answer of the server finds wrong; of several messages about one the first. `tags.0` is said of `tags`. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  const errors = (error instanceof HttpError && error.problem?.errors) || [];
  return Object.fromEntries(errors.toReversed().map((error) => [error.field.split('.')[0], say(error)]));
}

interface FormOptions<Values, Checked> {
  /** Checks the form before anything is sent. */
  schema: ZodType<Checked, Values>;
  initial: Values;
  /** Sends what the schema made of the form. */
  onSubmit: (checked: Checked) => void;
  /** The form does not pass its schema, and nothing is sent. */
  onRefused?: (messages: Messages<Values>) => void;
  /** Called with the whole form after each change. */
  onChange?: (values: Values) => void;
  /** Why the last try to send it failed. */
  error: unknown;
  /** What `error` says of the form's own fields. */
  errorsOf?: (error: unknown) => Messages<Values>;
}

/**
 * A form's state (frontend/README.md). An error is shown at its field until that is changed, whether the schema or the server
 * found it; the first wrong field takes the focus.
 */
export function useFields<Values extends FieldValues, Checked>(options: FormOptions<Values, Checked>) {
  const { schema, initial, onSubmit, onRefused, onChange, error, errorsOf = fieldErrorsOf } = options;
  const form = useForm<Values, unknown, Checked>({
    defaultValues: initial as DefaultValues<Values>,
    shouldFocusError: false, // most controls are our own; `focusFirstError` knows them all
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
  /** The form that was sent and has no answer yet. */
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
    /** Value, message and change of one field, for its props. */
    bind: <Name extends keyof Values & string>(name: Name): Bound<Values[Name]> => ({
      name,
      value: values[name],
      error: errors[name]?.message as string | undefined,
      onChange: (value) => change({ [name]: value } as unknown as Partial<Values>),
    }),
    /** Replaces all values and removes all messages. */
    reset: (to: Values) => form.reset(to),
    /** What failed, if it says nothing of a single field. */
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
