import { invalid } from './errors.ts';

export type Form = { [name: string]: FormValue };
export type FormValue = string | Form | FormValue[];

const MAX_FIELDS = 500;
const MAX_DEPTH = 8;

/**
 * Parses Stripe's form encoding: `a[b][c]=1`, `expand[]=x`, `expand[0]=x`. The parsed objects have no prototype, so a
 * field may have any name, even `__proto__`. Throws 400 for a field that is used as both a value and a hash.
 */
export function parseForm(text: string): Form {
  const form: Form = Object.create(null) as Form;
  let fields = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    if (++fields > MAX_FIELDS) throw invalid('Too many parameters.');
    const end = name.indexOf('[');
    const head = end === -1 ? name : name.slice(0, end);
    const path = end === -1 ? [] : [...name.slice(end).matchAll(/\[([^\]]*)\]/g)].map((match) => match[1] ?? '');
    if (path.length > MAX_DEPTH) throw invalid('Parameters are nested too deeply.');
    put(form, [head, ...path], value);
  }
  return lists(form) as Form;
}

function put(form: Form, path: string[], value: string): void {
  let at = form;
  path.forEach((step, index) => {
    const name = step === '' ? String(Object.keys(at).length) : step;
    if (index === path.length - 1) {
      if (typeof at[name] === 'object') throw invalid(`Invalid ${path[0]}: both a value and a hash.`);
      at[name] = value;
      return;
    }
    const inner = (at[name] ??= Object.create(null) as Form);
    if (typeof inner !== 'object' || Array.isArray(inner))
      throw invalid(`Invalid ${path[0]}: both a value and a hash.`);
    at = inner;
  });
}

/** Turns `{0: a, 1: b}` back into a list. */
function lists(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const names = Object.keys(value);
  for (const name of names) value[name] = lists(value[name] as FormValue);
  return names.length > 0 && names.every((name, index) => name === String(index))
    ? names.map((name) => value[name] as FormValue)
    : value;
}
