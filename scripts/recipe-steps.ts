import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { execFileSync, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { TYPES_SEEN } from './types-program.ts'

/** In the order a newcomer may follow them: the later ones go on with the shelf of the first. */
export const RECIPES = [
  'add-a-resource',
  'add-an-action',
  'declare-a-measure',
  'print-a-document',
  'add-a-field-kind',
  'add-a-platform',
  'add-a-payment-way',
  'add-a-device-command',
  'add-a-printer-maker',
  'let-an-ai-task-look-at-something-else',
  'generate-a-family',
  'put-an-act-behind-approval',
] as const

/** A block of code of a recipe, and where the reader puts it: a new file unless it says beside which line. */
type Block = { file: string; place?: 'below' | 'above' | 'instead'; of?: string; text: string }
/** A line for the shell. */
type Command = { command: string }
type Step = Block | Command

const root = join(import.meta.dirname, '..')
const FENCE = /^( *)```(\w+)([^\n]*)\n([\s\S]*?)\n\1```$/gm
const PLACE = /\b(below|above|instead)="([^"]+)"/

/**
 * What a recipe says is to be done, in its order. Readers of the page do not see how a block says where it belongs:
 * whatever follows the language of a block is not shown.
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

/** The project as somebody gets it who has just cloned it; packages are not copied. */
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

/** Does with a block what its reader does; throws where the place it names is not there. */
export function write(folder: string, { file, place, of, text }: Block): void {
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

/** Runs one of the project's programs in that tree; what it said when it ended badly, undefined when it went well. */
export async function failureOf(folder: string, program: string, ...args: string[]): Promise<string | undefined> {
  const child = spawn(process.execPath, [join(folder, program), ...args], {
    cwd: folder,
    env: { ...process.env, FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()))
  const code = await new Promise((done) => child.once('close', done))
  return code === 0 ? undefined : `${program} ${args.join(' ')}\n${said}`
}

const PROGRAMS: Record<string, string> = {
  'npm run migration -- ': 'scripts/migration.ts',
  'npm run generate -- ': 'scripts/generate.ts',
  'npm run derived': 'scripts/derived.ts',
  'npm run format': 'node_modules/oxfmt/bin/oxfmt',
  'npm run check': 'scripts/test.mjs --only types,lint,format,derived',
  'npm test -- ': 'scripts/test.mjs',
}

/** A command of a recipe as a program with its arguments. */
export function programOf(command: string): [program: string, ...args: string[]] {
  const found = Object.keys(PROGRAMS).find((start) => command.startsWith(start))
  if (!found) throw new Error(`a recipe asks for "${command}", which nobody knows how to try`)
  const args = [...command.slice(found.length).matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!)
  const [program, ...first] = PROGRAMS[found]!.split(' ')
  return [program!, ...first, ...args]
}
