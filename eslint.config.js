import formatjs from 'eslint-plugin-formatjs';
import a11y from 'eslint-plugin-jsx-a11y-x';
import hooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { direction, pure } from './scripts/eslint/imports.js';
import { ticketStatus } from './scripts/eslint/statuses.js';
import { noSentence, NOT_TRANSLATED, TRANSLATED } from './scripts/eslint/texts.js';

const tests = ['**/*.test.ts', '**/*.test.tsx', 'e2e/**/*.ts'];
const FOCUSED = '/^(skip|only|todo|skipIf|runIf|fails|fixme)$/';

export default tseslint.config(
  { ignores: ['**/node_modules/', '**/dist/', '**/generated/', '**/.data/', '**/.cache/', 'frontend/public/'] },
  ...tseslint.configs.recommended,
  {
    plugins: { beltway: { rules: { direction, pure, 'no-sentence': noSentence, 'ticket-status': ticketStatus } } },
    rules: {
      'beltway/direction': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'off',
      'no-var': 'error',
      'prefer-const': ['error', { destructuring: 'all' }],
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-namespace': ['error', { allowDeclarations: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
    },
  },
  {
    // The environment is read once, in config.ts, where it is checked.
    files: ['packages/**/*.ts', 'services/**/*.ts', 'frontend/src/**/*.{ts,tsx}'],
    ignores: [
      '**/config.ts',
      '**/test/**',
      '**/*.test.ts',
      '**/*.test.tsx',
      'packages/*/src/testing*.ts',
      'packages/*/src/testing/**',
      'packages/test-engines/**',
    ],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read the environment in config.ts.' },
      ],
    },
  },
  {
    files: ['packages/**/*.ts', 'services/*/src/**/*.ts', 'frontend/src/**/*.{ts,tsx}'],
    ignores: tests,
    rules: { 'beltway/ticket-status': 'error' },
  },
  {
    files: ['services/**/decider.ts', 'services/**/process.ts', 'services/ticketing/src/sale/stock.ts'],
    rules: {
      'beltway/pure': 'error',
      'no-restricted-globals': ['error', 'crypto', 'process', 'fetch', 'setTimeout', 'setInterval', 'performance'],
      'no-restricted-syntax': [
        'error',
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'Time comes in with the command.',
        },
        { selector: "CallExpression[callee.name='Date']", message: 'Time comes in with the command.' },
        {
          selector: "MemberExpression[object.name='Date'][property.name='now']",
          message: 'Time comes in with the command.',
        },
        {
          selector: "MemberExpression[object.name='Math'][property.name='random']",
          message: 'Chance comes in with the command.',
        },
      ],
    },
  },
  {
    files: tests,
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: `MemberExpression[object.name=/^(it|test|describe|suite|bench)$/][property.name=${FOCUSED}]`,
          message: 'No skipped, focused or unwritten tests.',
        },
        {
          selector:
            "CallExpression[callee.object.name='vi'][callee.property.name=/^wait(For|Until)$/][arguments.length=1]",
          message: 'A second is too short on a busy machine: use expect.poll, or state a timeout.',
        },
      ],
    },
  },
  {
    files: ['frontend/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': hooks },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  {
    files: ['frontend/**/*.tsx'],
    ignores: tests,
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "JSXAttribute[name.name='type'][value.value='number']",
          message: 'Number fields drop the comma of 12,50 and change with the wheel: use NumberField.',
        },
      ],
    },
  },
  {
    // Texts shown to people are in catalogs (docs/how-to/translate.md).
    files: TRANSLATED,
    ignores: [...tests, ...NOT_TRANSLATED],
    plugins: { formatjs },
    rules: {
      'formatjs/no-literal-string-in-jsx': [
        'error',
        { props: { include: [['*', '{label,title,description,text,hint,what,kind,more,placeholder}']] } },
      ],
      'beltway/no-sentence': 'error',
    },
  },
  {
    files: ['frontend/src/**/*.tsx'],
    ...a11y.configs.recommended,
    rules: {
      ...a11y.configs.recommended.rules,
      // Our own components move the focus into a dialog that was just opened.
      'jsx-a11y-x/no-autofocus': ['error', { ignoreNonDOM: true }],
      // A table shown as blocks on a phone loses its roles, unless they are spelt out.
      'jsx-a11y-x/no-redundant-roles': ['error', { thead: ['rowgroup'], tbody: ['rowgroup'] }],
      'jsx-a11y-x/no-interactive-element-to-noninteractive-role': ['error', { tr: ['row'], td: ['cell'] }],
      // A group that scrolls has to be reached by keys.
      'jsx-a11y-x/no-noninteractive-tabindex': ['error', { tags: [], roles: ['tabpanel', 'group'] }],
    },
  },
);
