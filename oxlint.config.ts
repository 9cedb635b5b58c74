import { defineConfig, type OxlintConfig } from 'oxlint'

const anyOf = (...forms: string[]) => `(${forms.join('|')})`

/** An import rule of the linter, with the message it shows. */
type Wall = { regex: string; message: string } | { group: string[]; message: string }

const kitIsMachinery: Wall = {
  regex: '^#(domains|apps|simulators|tests)/',
  message: 'The kit is machinery: it knows no business word, so it imports no module, app, simulator or test.',
}
const noBrowser: Wall = {
  regex: anyOf(
    String.raw`\.(page|panel|web)\.tsx$`,
    String.raw`^#domains/[^/]+/[^/]+/(ui|web)\.ts$`,
    String.raw`^\./(ui|web)\.ts$`,
    '^#kit/web/',
    String.raw`/web/.+\.tsx?$`,
    '^#apps/web/',
    '^(react|react-dom|antd|react-router)(/|$)',
  ),
  message: 'The server never reaches into the browser; share what both need in a .resource.ts or index.ts.',
}
const noServer: Wall = {
  regex: anyOf(
    String.raw`\.(server|job|client)\.ts$`,
    String.raw`^#domains/[^/]+/[^/]+/(server|api)\.ts$`,
    String.raw`^\./server\.ts$`,
    '^#kit/server/',
    String.raw`/server/[^/]+\.ts$`,
    '^#apps/server/',
    '^(node:|pg$|fastify)',
  ),
  message:
    'The browser never reaches what runs on the server; ask it over HTTP, and share what both need in a ' +
    '.resource.ts or index.ts.',
}
const anySide: Wall = {
  regex: anyOf(
    '^(node:|react|antd|pg$|fastify)',
    '^#kit/(server|web)/',
    String.raw`\.(server|job|client|page|panel|web)\.tsx?$`,
    String.raw`^#domains/[^/]+/[^/]+/(server|api|web)\.ts$`,
    String.raw`^\./(server|web)\.ts$`,
  ),
  message: 'This file runs on any side: pure data and pure functions, nothing of Node, the server or the browser.',
}
const moduleIsAssembled: Wall = {
  regex: '^#(apps|simulators)/',
  message: 'A module is assembled by an app, never the other way round: domains import kit and other modules only.',
}
const noParentPath: Wall = {
  regex: String.raw`^\.\./`,
  message:
    'Leave a module through #kit or an entry file of another module (#domains/<folder>/<module>/index.ts), not by a ' +
    'relative path.',
}
const overTheWire: Wall = {
  regex: String.raw`^#(apps/|domains/(?![^/]+/[^/]+/sign\.ts$))`,
  message: "A simulator is the world outside: it speaks to the product over the wire only, by the vendor's signatures.",
}
/** Allows imports from other modules only through these entry files. */
const entryFiles = (...open: string[]): Wall => ({
  group: ['#domains/**', ...open.map((file) => `!#domains/*/*/${file}.ts`)],
  message:
    'Another module is entered through its entry files only: ' +
    'index.ts (any side), api.ts and server.ts (server), ui.ts and web.ts (browser).',
})

type Files = { files: string[]; excludeFiles?: string[] }
const walls = (where: Files, ...patterns: Wall[]): NonNullable<OxlintConfig['overrides']>[number] => ({
  ...where,
  rules: { 'no-restricted-imports': ['error', { patterns }] },
})

/** Only the last override that matches a file counts for a rule, so each one repeats all import rules for its files. */
export default defineConfig({
  jsPlugins: ['./scripts/refused-names-plugin.ts'],
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'react', 'promise', 'vitest'],
  categories: { correctness: 'error' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  env: { es2024: true, node: true, browser: true },
  ignorePatterns: ['**/dist/**', 'data/**', 'docs/derived/**', 'apps/web/public/**', 'coverage/**'],
  rules: {
    'names/no-refused-words': 'error',
    eqeqeq: ['error', 'smart'],
    'no-var': 'error',
    'prefer-const': 'error',
    'no-throw-literal': 'error',
    'import/no-cycle': 'error',
    // A function that decides more is made of named steps.
    complexity: ['error', { max: 16 }],
    'react/rules-of-hooks': 'error',
    'react/exhaustive-deps': 'error',
    'react/no-unstable-nested-components': ['error', { allowAsProps: true }],
    'react/jsx-no-target-blank': 'error',
    'typescript/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
    'typescript/no-base-to-string': 'off',
    'typescript/no-misused-spread': 'off',
    'promise/no-callback-in-promise': 'off',
    'vitest/valid-expect': ['error', { maxArgs: 2 }],
    'typescript/consistent-type-definitions': ['error', 'type'],
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': ['error', { checksVoidReturn: { attributes: false, properties: false } }],
    'typescript/await-thenable': 'error',
    'typescript/no-unnecessary-type-assertion': 'error',
    'vitest/no-focused-tests': 'error',
    'vitest/no-disabled-tests': 'error',
    // Helper functions that contain expectations, by their names.
    'vitest/expect-expect': [
      'error',
      { assertFunctionNames: ['expect', 'expect*', '*.expect*'], additionalTestBlockFunctions: ['promise'] },
    ],
    'vitest/no-standalone-expect': 'off',
    'vitest/valid-title': 'off',
    'vitest/require-to-throw-message': 'off',
    'vitest/no-conditional-tests': 'off',
    'vitest/valid-describe-callback': 'off',
    'no-control-regex': 'off',
    'vitest/no-conditional-expect': 'error',
    'typescript/no-meaningless-void-operator': 'off',
    'react/set-state-in-effect': 'off',
    'react/refs': 'off',
  },
  overrides: [
    {
      files: ['kit/server/**', 'apps/server/**', 'simulators/**', 'scripts/**'],
      rules: { 'react/rules-of-hooks': 'off' },
    },
    // Longer functions should be split into steps; test suites have no limit.
    {
      files: ['**/*.ts', '**/*.tsx'],
      excludeFiles: ['**/*.test.*', '**/test-*', 'tests/**', 'bench/**', '**/*.test-d.*'],
      rules: { 'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }] },
    },
    // Waiting for an element in a journey counts as an expectation.
    {
      files: ['tests/journeys/**'],
      rules: { 'vitest/expect-expect': ['error', { assertFunctionNames: ['expect', 'expect*', '**.waitFor'] }] },
    },
    // What a resource or route must do depends on its declaration, so these tests expect conditionally.
    {
      files: ['tests/support/contract.ts', 'tests/support/contract.test.ts', 'apps/server/src/calls.test.ts'],
      rules: { 'vitest/no-conditional-expect': 'off' },
    },
    walls({ files: ['kit/**'], excludeFiles: ['**/*.test.*'] }, kitIsMachinery),
    walls({ files: ['kit/server/**'], excludeFiles: ['**/*.test.*'] }, kitIsMachinery, noBrowser),
    { files: ['**/refusals.ts'], rules: { 'typescript/consistent-type-definitions': 'off' } },
    walls(
      { files: ['kit/web/**', 'kit/fields/**/*.web.tsx'], excludeFiles: ['**/*.test.*'] },
      kitIsMachinery,
      noServer,
    ),
    walls(
      { files: ['kit/base/**', 'kit/resource/**', 'kit/fields/*/*.ts'], excludeFiles: ['**/*.test.ts'] },
      kitIsMachinery,
      anySide,
    ),
    walls({ files: ['domains/**/*.test.*'] }, entryFiles('index', 'server', 'api', 'ui', 'web')),
    walls(
      { files: ['domains/*/*/**'], excludeFiles: ['**/*.test.*'] },
      moduleIsAssembled,
      entryFiles('index', 'server', 'api', 'ui', 'web'),
    ),
    walls(
      { files: ['domains/*/*/*'], excludeFiles: ['**/*.test.*'] },
      moduleIsAssembled,
      entryFiles('index', 'server', 'api', 'ui', 'web'),
      noParentPath,
    ),
    walls(
      { files: ['domains/**/*.server.ts', 'domains/**/*.job.ts', 'domains/**/*.client.ts', 'domains/*/*/server.ts'] },
      moduleIsAssembled,
      entryFiles('index', 'server', 'api'),
      noParentPath,
      noBrowser,
    ),
    walls(
      { files: ['domains/**/*.page.tsx', 'domains/**/*.panel.tsx', 'domains/**/*.web.tsx', 'domains/*/*/web.ts'] },
      moduleIsAssembled,
      entryFiles('index', 'ui', 'web'),
      noParentPath,
      noServer,
    ),
    walls(
      { files: ['domains/**/*.resource.ts', 'domains/*/*/index.ts'] },
      moduleIsAssembled,
      entryFiles('index'),
      noParentPath,
      anySide,
    ),
    walls({ files: ['apps/web/src/**'], excludeFiles: ['**/*.test.*'] }, entryFiles('index', 'ui', 'web'), noServer),
    walls({ files: ['apps/server/**'] }, entryFiles('index', 'server', 'api'), noBrowser),
    walls({ files: ['simulators/**'], excludeFiles: ['**/*.test.ts'] }, overTheWire),
  ],
})
