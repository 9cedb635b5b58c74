import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { execFileSync, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { TYPES_SEEN } from './types-program.ts'

/** The recipes in the order they are tried: the later ones continue with the resource of the first. */
export const RECIPES = [
  'add-a-resource',
  'add-an-action',
  'declare-states',
  'declare-a-measure',
  'print-a-document',
  'add-a-field-kind',
  'add-a-platform',
  'add-a-payment-method',
  'add-a-device-command',
  'add-a-printer-maker',
  'make-an-outbound-call',
  'let-an-ai-task-look-at-something-else',
  'generate-a-resource',
  'let-an-action-wait-for-approval',
] as const

/**
 * A code block of a recipe: a new file, or an insertion `below`, `above` or `instead` of the line that contains `of`.
 */
type Block = { file: string; place?: 'below' | 'above' | 'instead'; of?: string; text: string }
/** One line of a shell block. */
type Command = { command: string }
type Step = Block | Command

const root = join(import.meta.dirname, '..')
const FENCE = /^( *)```(\w+)([^\n]*)\n([\s\S]*?)\n\1```$/gm
const PLACE = /\b(below|above|instead)="([^"]+)"/

/**
 * Returns the steps of a recipe, in order. The place of a block is written after the language in its fence, where
 * readers of the rendered page do not see it.
 */
export function stepsOf(recipe: string): Step[] {
  const text = readFileSync(join(root, 'docs/recipes', `${recipe}.md`), 'utf8')
  return [...text.matchAll(FENCE)].flatMap(([, indent, language, about, code]): Step[] => {
    const lines = code!.split('\n').map((line) => (line.startsWith(indent!) ? line.slice(indent!.length) : line))
    const [, file] = /\bfile=(\S+)/.exec(about!) ?? []
    if (language === 'sh') return lines.map((command) => ({ command }))
    if (!file) return []
    const [, place, of] = PLACE.exec(about!) ?? []
    return [{ file, place: place as Block['place'], of, text: lines.join('\n') }]
  })
}

/**
 * Copies the project as a fresh clone has it, uncommitted files included, into a temporary folder. Packages are linked,
 * not copied.
 */
export function freshTree(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'recipe-'))
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of [...listed.trim().split('\n'), TYPES_SEEN]) {
    if (!existsSync(join(root, file))) continue
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Writes a block into the tree as a reader would. Throws when the file exists already or the line is missing. */
export function writeBlock(folder: string, { file, place, of, text }: Block): void {
  const path = join(folder, file)
  if (!place) {
    if (existsSync(path)) throw new Error(`${file} is there already`)
    mkdirSync(dirname(path), { recursive: true })
    return writeFileSync(path, `${text}\n`)
  }
  const lines = readFileSync(path, 'utf8').split('\n')
  const at = lines.findIndex((line) => line.includes(of!))
  if (at < 0) throw new Error(`${file} has no line with ${of}`)
  const indent = /^ */.exec(lines[at]!)![0]
  const given = text.split('\n').map((line) => (line ? indent + line : line))
  lines.splice(place === 'below' ? at + 1 : at, place === 'instead' ? 1 : 0, ...given)
  writeFileSync(path, lines.join('\n'))
}

/** Variables of a test run, which a shell does not have: tests run from here would take them for theirs. */
const OF_TESTS = /^(VITEST\w*|TESTS?|TEST_TIMES|UNHANDLED_ERRORS|NODE_ENV|SECRETS_KEY)$/

const shellEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_TESTS.test(name))),
  FORCE_COLOR: '0',
})

/** Runs one of the project's programs in that tree; what it said when it ended badly, undefined when it went well. */
export async function failureOf(folder: string, program: string, ...args: string[]): Promise<string | undefined> {
  const child = spawn(process.execPath, [join(folder, program), ...args], {
    cwd: folder,
    env: shellEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()))
  const code = await new Promise((done) => child.once('close', done))
  return code === 0 ? undefined : `${program} ${args.join(' ')}\n${output}`
}

const PROGRAMS: Record<string, string> = {
  'npm run migration -- ': 'scripts/migration.ts',
  'npm run generate -- ': 'scripts/generate.ts',
  'npm run derived': 'scripts/derived.ts',
  'npm run format': 'node_modules/oxfmt/bin/oxfmt',
  'npm run check': 'scripts/test.mjs --only types,lint,format,derived',
  'npm test -- ': 'scripts/test.mjs',
}

/** Returns the program and arguments for a command of a recipe; throws for a command it does not know. */
export function programOf(command: string): [program: string, ...args: string[]] {
  const found = Object.keys(PROGRAMS).find((start) => command.startsWith(start))
  if (!found) throw new Error(`a recipe asks for "${command}", which nobody knows how to try`)
  const args = [...command.slice(found.length).matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!)
  const [program, ...first] = PROGRAMS[found]!.split(' ')
  return [program!, ...first, ...args]
}
