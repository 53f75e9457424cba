/** All text on the page must come from catalogs. */
export const TRANSLATED = ['frontend/src/**/*.{ts,tsx}'];

/** Exceptions, each with its reason. */
export const NOT_TRANSLATED = [
  // The sandbox replaces Stripe.js, whose texts do not come from our catalogs.
  'frontend/src/sandbox-stripe/*.ts',
  // A worker has neither catalogs nor the page's language.
  'frontend/src/service-worker/*.ts',
  'frontend/src/testing/*.{ts,tsx}',
];

/** A catalog in any language. */
const CATALOGUE = /(^|[/\\])([\w-]+[.-])?(texts|names)(\.[a-z]{2})?\.ts$/;

/** Several words that start with a capital letter or end like a sentence. Class names and codes match neither case. */
const SENTENCE = /^\p{Lu}[\p{L}’']*[,:]?\s+\S|\s.*\p{L}{2,}[.!?…]$/u;

/** Text that visitors do not see: an error for developers, a console, a class. */
const isHidden = (node) => {
  for (let at = node.parent; at; at = at.parent) {
    if (at.type === 'NewExpression' && /Error$|^CodeNotLoaded$/.test(at.callee.name ?? '')) return true;
    if (at.type === 'CallExpression' && at.callee.type === 'Super') return true;
    if (at.type === 'CallExpression' && at.callee.type === 'MemberExpression' && at.callee.object.name === 'console')
      return true;
    if (at.type === 'JSXAttribute' && /^(className|class|sizes|d)$/.test(String(at.name.name))) return true;
    if (/^(Import|Export(All|Named))Declaration$|Function|Statement$/.test(at.type) && at.source) return true;
  }
  return false;
};

/** Forbids displayed sentences outside of JSX too, such as in a toast, a title or a variable. */
export const noSentence = {
  meta: { type: 'problem', schema: [], messages: { sentence: 'A text for people stands in a catalog: {{text}}' } },
  create(context) {
    if (CATALOGUE.test(context.filename)) return {};
    const check = (node, text) => {
      if (SENTENCE.test(text.trim()) && !isHidden(node))
        context.report({ node, messageId: 'sentence', data: { text: text.trim().slice(0, 40) } });
    };
    return {
      Literal: (node) =>
        typeof node.value === 'string' && node.parent.type !== 'JSXAttribute' && check(node, node.value),
      TemplateElement: (node) => check(node, node.value.cooked ?? ''),
    };
  },
};
