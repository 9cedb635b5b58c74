import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ensureChromium } from '#tests/support/chromium.ts'
import { programSeconds } from '#tests/support/times.ts'
import { buildWeb } from './build-web.ts'
import { changeSince, type Change } from './changed-tests.ts'
import type { TimesOfFile } from './times-reporter.ts'
import { TYPES } from './types-program.ts'
import { leaveTestMemory, testInMemory } from './test-memory.ts'

/** `failures` are printed once more at the end of a run, where they are not missed. */
type Outcome = { ok: boolean; passed?: number; failed?: number; skipped?: number; failures?: string[] }
type Step = { name: string; run: () => Promise<Outcome> }
type VitestReport = {
  success: boolean
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] | null }[]
  }[]
}

const root = join(import.meta.dirname, '..')
// Every test file and every process a test starts loads the same packages: they are compiled once.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/node')
// The compiler and linter are written in Go: collecting garbage a third as often saves them a fifth and a tenth of CPU.
process.env.GOGC ??= '300'
testInMemory()
/** Files shown by `--times`; they account for most of the time. */
const TIMES_SHOWN = 40
/** Fewer source files than this mean that the pattern looks in the wrong place. */
const SOURCES_MIN = 500
let runs = 0
const reports = mkdtempSync(join(tmpdir(), 'test-reports-'))
process.on('exit', () => {
  rmSync(reports, { recursive: true, force: true })
  leaveTestMemory()
})

const LINT = ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings']
const CODE = ['alone', 'code']
const JOURNEYS = ['journeys']

const STEPS: Step[] = [
  { name: 'types', run: () => command(...TYPES) },
  { name: 'lint', run: () => command(LINT[0]!, ...LINT.slice(1)) },
  { name: 'format', run: laidOut },
  { name: 'derived', run: derivedFiles },
  { name: 'tests', run: () => vitest(CODE, []) },
  { name: 'journeys', run: () => journeys([]) },
]

/** All steps, with tests and journeys in one run, so that the database and its demo data are prepared once. */
const WHOLE: Step[] = [
  ...STEPS.filter(({ name }) => !['tests', 'journeys'].includes(name)),
  { name: 'tests', run: () => journeys([], CODE) },
]

const given = process.argv.slice(2)
const hasOption = (word: string) => given.includes(word)
if (hasOption('--times')) process.env.TEST_TIMES = join(reports, 'times')
process.exitCode = await runAll(await choose(given.filter((word) => word !== '--times')))

/**
 * Chooses the steps: without arguments the quick run of everything, `--all` everything, `--changed` what a change
 * affects, `--only a,b` these steps. Any other argument is a filter for Vitest.
 */
async function choose(args: string[]): Promise<Step[]> {
  if (!args.length || args[0] === '--changed') process.env.TESTS = 'quick'
  if (!args.length || (args[0] === '--all' && args.length === 1)) return WHOLE
  if (args[0] === '--changed') return stepsOfChange(await changeSince(root, args[1]))
  if (args[0] === '--only') {
    const names = args[1]?.split(',') ?? []
    const unknown = names.find((name) => !STEPS.some((step) => step.name === name))
    if (unknown === undefined && names.length) return STEPS.filter(({ name }) => names.includes(name))
    return refuse(`There is no step "${unknown ?? ''}"; there are ${STEPS.map(({ name }) => name).join(', ')}.`)
  }
  const filters = args.filter((arg, index) => !arg.startsWith('-') && !args[index - 1]?.startsWith('-'))
  const matches = (pattern: string) =>
    globSync(pattern, { cwd: root }).some(
      (file) => !filters.length || filters.some((filter) => file.includes(filter.replace(/^\.\//, ''))),
    )
  const chosen = [
    matches('{apps,kit,domains,simulators,scripts,bench,tests/support}/**/*.test.{ts,tsx}') && {
      name: 'tests',
      run: () => vitest(CODE, args),
    },
    matches('tests/journeys/**/*.test.{ts,tsx}') && { name: 'journeys', run: () => journeys(args) },
  ].filter((step): step is Step => Boolean(step))
  return chosen.length ? chosen : refuse(`No test file matches ${filters.join(' ')}.`)
}

/** Returns the steps for a change: types, lint and format of its files, and the tests that depend on them. */
async function stepsOfChange({ files, tests }: Change): Promise<Step[]> {
  const sources = files.filter((file) => /\.(ts|tsx|mjs)$/.test(file) && existsSync(join(root, file)))
  console.log(`${files.length} files changed, ${tests.length} test files reach them`)
  return [
    { name: 'types', run: () => command(...TYPES) },
    ...(sources.length
      ? [
          { name: 'lint', run: () => command(LINT[0]!, ...LINT.slice(1), ...sources) },
          { name: 'format', run: () => command('node_modules/oxfmt/bin/oxfmt', '--check', ...sources) },
        ]
      : []),
    ...(tests.length ? [{ name: 'tests', run: () => vitest(CODE, tests) }] : []),
  ]
}

async function runAll(steps: Step[]): Promise<number> {
  const lines: string[] = []
  const failures: string[] = []
  let passed = 0
  let failed = 0
  for (const { name, run } of steps) {
    console.log(`\n── ${name}`)
    const [since, before] = [Date.now(), programSeconds()]
    const outcome = await run().catch((error: Error): Outcome => {
      console.error(error.message)
      return { ok: false }
    })
    passed += outcome.passed ?? 0
    // A step that fails without a failed test (types, a crash) still counts as one.
    failed += outcome.ok ? 0 : Math.max(outcome.failed ?? 0, 1)
    failures.push(...(outcome.failures ?? []))
    const counts =
      outcome.passed === undefined
        ? ''
        : `  ${outcome.passed} passed, ${outcome.failed} failed${outcome.skipped ? `, ${outcome.skipped} skipped` : ''}`
    const took = ((Date.now() - since) / 1000).toFixed(1).padStart(7)
    const worked = hasOption('--times') ? `${(programSeconds() - before).toFixed(1).padStart(7)} s of processor` : ''
    lines.push(`${name.padEnd(10)}${outcome.ok ? 'ok    ' : 'FAILED'}${took} s${worked}${counts}`)
  }
  if (hasOption('--times')) lines.push(...timesTable())
  console.log(`\n${[...failures, ...lines].join('\n')}\n${passed} passed, ${failed} failed`)
  return failed ? 1 : 0
}

/** Returns the table of `--times`: seconds of CPU by test file, highest first, and their total. */
function timesTable(): string[] {
  const read = (file: string, none: string) => (existsSync(file) ? readFileSync(file, 'utf8') : none)
  const files = JSON.parse(read(process.env.TEST_TIMES!, '[]')) as TimesOfFile[]
  const database = Number(read(`${process.env.TEST_TIMES!}.database`, '0'))
  const own = process.cpuUsage()
  const total = programSeconds() + (own.user + own.system) / 1e6 + database
  const sum = ({ worker, programs, database: inDatabase }: TimesOfFile) => worker + programs + inDatabase
  const cells = (...numbers: number[]) => numbers.map((number) => number.toFixed(1).padStart(9)).join('')
  return [
    '\nseconds   worker programs database    tests',
    ...files
      .sort((one, other) => sum(other) - sum(one))
      .slice(0, TIMES_SHOWN)
      .map((one) => {
        const numbers = cells(sum(one), one.worker, one.programs, one.database).slice(2)
        return `${numbers}${String(one.tests).padStart(9)}  ${one.file}`
      }),
    `${files.length} files; the database ${database.toFixed(0)} s, all of it ${total.toFixed(0)} s of processor\n`,
  ]
}

/**
 * Checks the format, and that no line is wider than the formatter's limit. It leaves some lines, such as SQL, which a
 * person has to break.
 */
async function laidOut(): Promise<Outcome> {
  const { printWidth } = JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8')) as { printWidth: number }
  const sources = globSync(['{apps,bench,domains,kit,scripts,simulators,tests}/**/*.{ts,tsx,mjs,css}', '*.{ts,mjs}'], {
    cwd: root,
    exclude: ['**/dist'],
  })
  const wide = sources.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, at) => (line.length > printWidth ? [`✗ ${file}:${at + 1} is wider than ${printWidth}\n`] : [])),
  )
  const { ok } = await command('node_modules/oxfmt/bin/oxfmt', '--check')
  return { ok: ok && sources.length > SOURCES_MIN && !wide.length, failures: wide }
}

/** Generates the files of docs/derived anew and compares them with the committed ones. */
async function derivedFiles(): Promise<Outcome> {
  const script = globSync('scripts/derived.{mjs,ts}', { cwd: root })[0]
  if (script) return command(script, '--check')
  console.log('Nothing is derived yet.')
  return { ok: true }
}

async function journeys(args: string[], others: string[] = []): Promise<Outcome> {
  if (await hasBrowser()) return vitest([...others, ...JOURNEYS], args)
  const outcome: Outcome = others.length ? await vitest(others, args) : { ok: false }
  return { ...outcome, ok: false }
}

/** Returns whether there is a browser and a build of the app to test; prints why not. */
async function hasBrowser(): Promise<boolean> {
  try {
    process.env.CHROMIUM_PATH = ensureChromium()
  } catch (error) {
    console.error((error as Error).message)
    return false
  }
  return buildWeb()
}

/** Runs the tests of these Vitest projects once. Failed tests are not retried. */
async function vitest(projects: string[], args: string[]): Promise<Outcome> {
  const file = join(reports, `${++runs}.json`)
  const unhandledErrors = join(reports, `${runs}.unhandled`)
  process.env.UNHANDLED_ERRORS = unhandledErrors
  const { ok } = await command(
    'node_modules/vitest/vitest.mjs',
    'run',
    ...projects.flatMap((project) => ['--project', project]),
    '--passWithNoTests',
    '--reporter=default',
    '--reporter=./scripts/unhandled-reporter.ts',
    '--reporter=./scripts/stall-reporter.ts',
    ...(process.env.TEST_TIMES ? ['--reporter=./scripts/times-reporter.ts'] : []),
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...args,
  )
  const unhandled = existsSync(unhandledErrors)
    ? (JSON.parse(readFileSync(unhandledErrors, 'utf8')) as string[]).map(
        (path) => `✗ ${path ? relative(root, path) : 'a process'}: an error that no test handles\n`,
      )
    : []
  if (!existsSync(file)) return { ok, passed: 0, failed: ok ? 0 : 1, failures: unhandled }
  const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport
  return {
    ok: ok && report.success,
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests,
    failures: [...unhandled, ...failuresOf(report)],
  }
}

/** Returns a text for each failed test and each file that could not run, with the first lines of its message. */
function failuresOf({ testResults }: VitestReport): string[] {
  const excerpt = (message = '') => stripVTControlCharacters(message).split('\n').slice(0, 8).join('\n    ')
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (status === 'failed' && !failed.length) return [`✗ ${file}\n    ${excerpt(message)}\n`]
    return failed.map((test) => `✗ ${file} › ${test.fullName}\n    ${excerpt(test.failureMessages?.join('\n'))}\n`)
  })
}

/**
 * Runs one of the project's programs under this Node. SIGINT, SIGTERM and SIGHUP are passed on and end the whole run.
 */
async function command(program: string, ...args: string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [join(root, program), ...args], { cwd: root, stdio: 'inherit' })
  const passOn = (signal: NodeJS.Signals) => {
    process.exitCode = 130
    child.kill(signal)
    child.once('exit', () => process.exit(130))
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, passOn)
  const code = await new Promise((done) => child.once('exit', done).once('error', () => done(1)))
  for (const signal of signals) process.off(signal, passOn)
  return { ok: code === 0 }
}

function refuse(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}
