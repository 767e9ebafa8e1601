import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  {
    ignores: [
      '**/dist/**',
      'coverage/**',
      '**/generated/**',
      'test/fixtures/**',
      '*.config.js',
      '.cache/**',
      '**/bin/**',
      '.packaging/*.js',
      'examples/start/launch.js',
      'src/cli/init/template/**',
      // Their packages are installed apart: `npm run --prefix docs check` reads them.
      'docs/.vitepress/{*.ts,*.js,theme/**}',
      'docs/reference/**',
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/prefer-promise-reject-errors': 'error',
    },
  },
  {
    files: ['test/**', 'bench/**', 'examples/**', 'docs/**'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/require-await': 'off',
      // What is tested is mostly closures, whose methods need no `this`.
      '@typescript-eslint/unbound-method': 'off',
      'no-console': 'off',
    },
  },
);
