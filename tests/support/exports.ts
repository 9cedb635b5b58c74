import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const SOURCES = ['{apps,kit,domains,simulators,scripts,bench,tests}/**/*.{ts,tsx,mjs}', '*.config.ts']
const isSkipped = (path: string) => /node_modules|\/dist\/|\.d\.ts$/.test(path)
/** Files for tests only. Their imports do not keep a product file alive. */
const FOR_TESTS = [/\.(test|test-d|fixture|child)\.tsx?$/, /^(tests|bench|simulators)\//, /\/test-[\w-]+\.tsx?$/]
const isForTests = (file: string) => FOR_TESTS.some((form) => form.test(file))

/** Scripts, and test files, may use exports that the product does not. */
const mayServeTests = (file: string) => isForTests(file) || file.startsWith('scripts/')

const STATEMENT = /^(import|export)\s+(?:type\s+)?([^'"`;=()]*?)\s*from\s*['"]([^'"]+)['"]/gm
const DECLARED = /^export\s+(?:declare\s+)?(?:async\s+)?(?:const|let|function\*?|class|type|enum)\s+(\w+)/gm
const LIST = /^export\s+(?:type\s+)?\{([^}]*)\}(?!\s*from)/gm
/** References to a whole file: dynamic import, import for its effect, or its path passed to another process. */
const WHOLE = [
  /\bimport\(\s*['"]([^'"]+)['"]/g,
  /^import\s+['"]([^'"]+)['"]/gm,
  /(?<!from )(?<!import )(?<!import\()['"](\.\.?\/[^'"]+\.tsx?)['"]/g,
]
const everything = '*'

const namesIn = (list: string, side: 'ours' | 'theirs'): string[] =>
  list
    .split(',')
    .map((part) => part.trim().replace(/^type\s+/, ''))
    .filter(Boolean)
    .map((part) => part.split(/\s+as\s+/).at(side === 'theirs' ? 0 : -1)!)

const resolved = (from: string, specifier: string): string | undefined =>
  specifier.startsWith('#')
    ? specifier.slice(1)
    : specifier.startsWith('.')
      ? normalize(join(dirname(from), specifier))
      : undefined

type Module = {
  text: string
  exported: Set<string>
  /** Names imported from other files. */
  taken: [file: string, name: string][]
}

function read(file: string): Module {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const exported = new Set<string>([...text.matchAll(DECLARED)].map(([, name]) => name!))
  for (const [, list] of text.matchAll(LIST)) for (const name of namesIn(list!, 'ours')) exported.add(name)
  const taken: Module['taken'] = []
  const take = (specifier: string | undefined, name: string) => {
    const target = specifier && resolved(file, specifier)
    if (target) taken.push([target, name])
  }
  for (const [, verb, clause, specifier] of text.matchAll(STATEMENT)) {
    const list = /\{([^}]*)\}/.exec(clause!)?.[1] ?? ''
    if (verb === 'export') for (const name of namesIn(list, 'ours')) exported.add(name)
    for (const name of namesIn(list, 'theirs')) take(specifier, name)
    if (clause!.includes('*')) take(specifier, everything)
  }
  for (const form of WHOLE) for (const [, specifier] of text.matchAll(form)) take(specifier, everything)
  return { text, exported, taken }
}

/** Whether a name occurs more than once in the text of its file, so that the file uses it besides declaring it. */
const isUsedInOwnFile = (text: string, name: string): boolean =>
  [...text.matchAll(new RegExp(String.raw`(?<![\w$])${name.replaceAll('$', String.raw`\$`)}(?![\w$])`, 'g'))].length > 1

/**
 * Returns exports without a use, as "file  name": nobody imports them, or only tests do and their own file does not use
 * them. They should not be exported, or be removed.
 */
export function deadExports(): string[] {
  const files = globSync(SOURCES, { cwd: ROOT, exclude: isSkipped }).sort()
  const modules = new Map(files.map((file) => [file, read(file)]))
  const readers = new Map<string, 'tests' | 'product'>()
  for (const [file, { taken }] of modules) {
    const reader = isForTests(file) ? 'tests' : 'product'
    for (const taking of taken) if (readers.get(taking.join('  ')) !== 'product') readers.set(taking.join('  '), reader)
  }
  return files.flatMap((file) => {
    if (file.endsWith('.test-d.ts') || readers.has(`${file}  ${everything}`)) return []
    const { exported, text } = modules.get(file)!
    return [...exported]
      .filter((name) => {
        const reader = readers.get(`${file}  ${name}`)
        return !reader || (reader === 'tests' && !mayServeTests(file) && !isUsedInOwnFile(text, name))
      })
      .map((name) => `${file}  ${name}`)
  })
}
