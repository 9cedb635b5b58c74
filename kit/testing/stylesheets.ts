import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const OF_BROWSER = '{apps/web/src,domains,kit}/**/*.{ts,tsx}'
/** With every page from the start, whoever imports them. */
const EVERYWHERE = ['kit/web/kit.css', 'apps/web/src/shell/shell.css']

const STATIC = /^(?:import|export)\b(?! type)[^'";]*?['"]([^'"]+)['"]/gm
const LAZY = /\bimport\(\s*['"]([^'"]+)['"]/g
const LITERAL = /'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`/g

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const all = (pattern: string) => globSync(pattern, { cwd: ROOT, exclude: (path) => /node_modules|\/dist\//.test(path) })

/** The classes a style sheet is about: those its selectors begin with. */
const classesOf = (sheet: string): string[] =>
  [
    ...read(sheet)
      .replace(/\/\*[^]*?\*\//g, '')
      .matchAll(/([^{}]+)\{/g),
  ].flatMap(([, selectors]) => selectors!.split(',').flatMap((selector) => /^\s*\.([\w-]+)/.exec(selector)?.[1] ?? []))

const importedBy = (file: string, form: RegExp): string[] =>
  [...read(file).matchAll(form)].flatMap(([, name]) =>
    name!.startsWith('#') ? name!.slice(1) : name!.startsWith('.') ? normalize(join(dirname(file), name!)) : [],
  )

/** Uses of classes whose style sheet is not there for sure: neither its own, nor that of all who lead to it. */
export function unstyledClasses(): string[] {
  const files = all(OF_BROWSER).filter((file) => !/\.test(-d)?\.tsx?$/.test(file))
  const sheets = all('{apps/web/src,domains,kit}/**/*.css')
  const homes = Map.groupBy(
    sheets.flatMap((sheet) => classesOf(sheet).map((name) => ({ sheet, name }))),
    ({ name }) => name,
  )
  const there = sheetsThere(files, sheets)
  return files
    .filter((file) => file.endsWith('.tsx'))
    .flatMap((file) => {
      const said = [...read(file).matchAll(LITERAL)].flatMap((found) =>
        found
          .slice(1)
          .join(' ')
          .split(/[\s${}]+/),
      )
      return [...new Set(said)]
        .filter((name) => name.includes('-') && homes.has(name))
        .filter(
          (name) => !homes.get(name)!.some(({ sheet }) => EVERYWHERE.includes(sheet) || there.get(file)!.has(sheet)),
        )
        .map((name) => `${file}: ${name}`)
    })
}

/** The sheets a module can count on: what it imports, and what all who import it can count on. */
function sheetsThere(files: readonly string[], sheets: readonly string[]): Map<string, Set<string>> {
  const own = new Map(files.map((file) => [file, importedBy(file, STATIC)]))
  const importers = new Map<string, Set<string>>()
  for (const file of files)
    for (const name of [...own.get(file)!, ...importedBy(file, LAZY)])
      importers.set(name, (importers.get(name) ?? new Set()).add(file))
  const there = new Map(files.map((file) => [file, new Set(sheets)]))
  const brought = reached(own)
  const next = (file: string) => {
    const above = [...(importers.get(file) ?? [])].map((one) => there.get(one)!)
    const ofAll = above.length ? sheets.filter((sheet) => above.every((one) => one.has(sheet))) : []
    return new Set([...ofAll, ...brought.get(file)!])
  }
  for (let isMoving = true; isMoving;) {
    isMoving = false
    for (const file of files) {
      const now = next(file)
      isMoving ||= now.size !== there.get(file)!.size
      there.set(file, now)
    }
  }
  return there
}

/** The sheets that come with each module, through whatever it imports at once. */
function reached(own: ReadonlyMap<string, readonly string[]>): Map<string, Set<string>> {
  const walk = (file: string, seen: Set<string>) => {
    if (seen.has(file)) return seen
    seen.add(file)
    for (const name of own.get(file) ?? []) walk(name, seen)
    return seen
  }
  return new Map(
    [...own.keys()].map((file) => [file, new Set([...walk(file, new Set())].filter((name) => name.endsWith('.css')))]),
  )
}
