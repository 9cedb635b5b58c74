import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const OF_BROWSER = '{apps/web/src,domains,kit}/**/*.{ts,tsx}'
/** Style sheets loaded with every page. */
const EVERYWHERE = ['kit/web/base/kit.css', 'apps/web/src/shell/shell.css']

const STATIC = /^(?:import|export)\b(?! type)[^'";]*?['"]([^'"]+)['"]/gm
const LAZY = /\bimport\(\s*['"]([^'"]+)['"]/g
const LITERAL = /'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`/g

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const all = (pattern: string) => globSync(pattern, { cwd: ROOT, exclude: (path) => /node_modules|\/dist\//.test(path) })

/** Returns the classes that a style sheet defines: those its selectors begin with. */
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

/** Returns uses of classes whose style sheet may not be loaded: neither the file nor all files that import it do so. */
export function unstyledClasses(): string[] {
  const files = all(OF_BROWSER).filter((file) => !/\.test(-d)?\.tsx?$/.test(file))
  const sheets = all('{apps/web/src,domains,kit}/**/*.css')
  const homes = Map.groupBy(
    sheets.flatMap((sheet) => classesOf(sheet).map((name) => ({ sheet, name }))),
    ({ name }) => name,
  )
  const loaded = loadedSheets(files, sheets)
  return files
    .filter((file) => file.endsWith('.tsx'))
    .flatMap((file) => {
      const literals = [...read(file).matchAll(LITERAL)].flatMap((found) =>
        found
          .slice(1)
          .join(' ')
          .split(/[\s${}]+/),
      )
      return [...new Set(literals)]
        .filter((name) => name.includes('-') && homes.has(name))
        .filter(
          (name) => !homes.get(name)!.some(({ sheet }) => EVERYWHERE.includes(sheet) || loaded.get(file)!.has(sheet)),
        )
        .map((name) => `${file}: ${name}`)
    })
}

/**
 * Returns the style sheets certain to be loaded for each file: its own imports, and those that all its importers have.
 */
function loadedSheets(files: readonly string[], sheets: readonly string[]): Map<string, Set<string>> {
  const own = new Map(files.map((file) => [file, importedBy(file, STATIC)]))
  const importers = new Map<string, Set<string>>()
  for (const file of files)
    for (const name of [...own.get(file)!, ...importedBy(file, LAZY)])
      importers.set(name, (importers.get(name) ?? new Set()).add(file))
  const loaded = new Map(files.map((file) => [file, new Set(sheets)]))
  const brought = reached(own)
  const next = (file: string) => {
    const above = [...(importers.get(file) ?? [])].map((one) => loaded.get(one)!)
    const ofAll = above.length ? sheets.filter((sheet) => above.every((one) => one.has(sheet))) : []
    return new Set([...ofAll, ...brought.get(file)!])
  }
  for (let isMoving = true; isMoving;) {
    isMoving = false
    for (const file of files) {
      const now = next(file)
      isMoving ||= now.size !== loaded.get(file)!.size
      loaded.set(file, now)
    }
  }
  return loaded
}

/** Returns the style sheets that each file imports statically, directly or not. */
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
