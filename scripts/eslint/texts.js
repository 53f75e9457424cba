/** What people read on the page stands in catalogs. */
export const TRANSLATED = ['frontend/src/**/*.{ts,tsx}'];

/** What does not, and why. */
export const NOT_TRANSLATED = [
  // Stands in for Stripe, which says what it likes.
  'frontend/src/sandbox-stripe/*.ts',
  // A worker has neither catalogs nor the page's language.
  'frontend/src/service-worker/*.ts',
  'frontend/src/testing/*.{ts,tsx}',
];

/** A catalog, in whatever language. */
const CATALOGUE = /(^|[/\\])([\w-]+[.-])?(texts|names)(\.[a-z]{2})?\.ts$/;

/** Some words, of which the first begins with a capital letter or the last ends as a sentence does. Classes and codes do neither. */
const SENTENCE = /^\p{Lu}[\p{L}’']*[,:]?\s+\S|\s.*\p{L}{2,}[.!?…]$/u;

/** What is not shown: an error that only developers read, a console, a class. */
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

/** No sentence for people outside of JSX either: of a toast, a title, a variable. */
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
