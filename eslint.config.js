import hooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { direction, pure } from './scripts/eslint/imports.js';

const tests = ['**/*.test.ts', '**/*.test.tsx', 'e2e/**/*.ts'];
const FOCUSED = '/^(skip|only|todo|skipIf|runIf|fails|fixme)$/';

export default tseslint.config(
  { ignores: ['**/node_modules/', '**/dist/', '**/generated/', '**/.data/', '**/.cache/', 'frontend/public/'] },
  ...tseslint.configs.recommended,
  {
    plugins: { beltway: { rules: { direction, pure } } },
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
    ignores: ['**/config.ts', '**/test/**', '**/*.test.ts', '**/*.test.tsx', 'packages/*/src/testing*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read the environment in config.ts.' },
      ],
    },
  },
  {
    files: ['services/**/decider.ts', 'services/**/process.ts'],
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
      ],
    },
  },
  {
    files: ['frontend/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': hooks },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
);
