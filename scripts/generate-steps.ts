import { ts } from 'ts-morph'
import {
  GENERATED_BASE_FOLDER,
  GENERATOR_MANIFEST_FILE,
  type GeneratorManifest,
} from '#domains/platform/code-generator/design.ts'
import { toKebabCase, type ManifestEntry, type GeneratedFile } from '#domains/platform/code-generator/print.ts'
import { mergeDeclaration } from './merge-declaration.ts'

/** Reads and writes the files of a working tree by relative path. */
export type Tree = { read: (path: string) => string | undefined; write: (path: string, text: string) => void }
type TakenIn = { written: string[]; told: string[] }

const BASED = /\.(resource|dictionaries)\.ts$/
const MODULES_FILE = 'apps/server/src/modules.ts'

/**
 * Takes generated files into a tree. Declarations are merged with the existing ones; pages and rules are written once
 * and then belong to their authors; a new resource is registered in its module. Returns the written files and messages
 * for the user.
 */
export function takeIn(tree: Tree, files: readonly GeneratedFile[]): TakenIn {
  const done: TakenIn = { written: [], told: [] }
  const manifest = manifestOf(files)
  const write = (path: string, text: string) => {
    if (tree.read(path) === text) return
    tree.write(path, text)
    done.written.push(path)
  }
  const into: Tree = { read: tree.read, write }
  for (const { path, text } of files) {
    if (path === GENERATOR_MANIFEST_FILE || path.startsWith(`${GENERATED_BASE_FOLDER}/`)) continue
    if (!isPlace(path)) throw new Error(`${path} is no place for generated files`)
    const mine = tree.read(path)
    if (mine === undefined) write(path, text)
    else if (BASED.test(path)) {
      const before = tree.read(`${GENERATED_BASE_FOLDER}/${path.slice(path.lastIndexOf('/') + 1)}`)
      if (before === undefined) done.told.push(`${path}: made without us; only what is new came in`)
      const merged = mergeDeclaration(mine, before, text, companionsOf(tree, path))
      done.told.push(...merged.told.map((line) => `${path} ${line}`))
      write(path, merged.text)
    }
  }
  for (const resource of manifest.families) done.told.push(...leftDictionaries(into, resource))
  for (const { path, text } of files) if (isBase(path)) write(path, text)
  for (const resource of manifest.families) openDoors(into, resource)
  return done
}

/** Returns the texts of a declaration's page and rules file, as far as they exist. */
const companionsOf = (tree: Tree, path: string): string[] =>
  path.endsWith('.resource.ts')
    ? ['.page.tsx', '.server.ts'].flatMap((end) => tree.read(path.replace('.resource.ts', end)) ?? [])
    : []

/**
 * Returns a message for each generated dictionary that no field of the table uses any more. It is not removed: other
 * code may use it, and rows hold its keys.
 */
function leftDictionaries(tree: Tree, { name, module, dictionaries }: ManifestEntry): string[] {
  const file = `${toKebabCase(name)}.dictionaries.ts`
  const base = `${GENERATED_BASE_FOLDER}/${file}`
  const before = [...(tree.read(base) ?? '').matchAll(/^export const (\w+)/gm)].map(([, variable]) => variable!)
  // The base of a resource without dictionaries becomes an empty file.
  if (before.length && !dictionaries.length) tree.write(base, '')
  return before
    .filter((variable) => !dictionaries.includes(variable))
    .map((variable) => `domains/${module}/${file} ${variable}: gone from the table; it stays until you take it out`)
}

const isPlace = (path: string): boolean =>
  /^domains\/[a-z]+\/[a-z][a-z0-9-]*\/[a-z][a-z0-9-]*\.[a-z]+\.tsx?$/.test(path)
const isBase = (path: string): boolean => /^\.generated\/[a-z][a-z0-9-]*\.(resource|dictionaries)\.ts$/.test(path)

function manifestOf(files: readonly GeneratedFile[]): GeneratorManifest {
  const text = files.find(({ path }) => path === GENERATOR_MANIFEST_FILE)?.text
  const manifest = text ? (JSON.parse(text) as GeneratorManifest) : undefined
  if (manifest?.version !== 2)
    throw new Error(`this holds no ${GENERATOR_MANIFEST_FILE} of this version; generate the code again`)
  return manifest
}

function openDoors(tree: Tree, resource: ManifestEntry): void {
  const folder = `domains/${resource.module}`
  const isNew = tree.read(`${folder}/server.ts`) === undefined
  if (isNew) addModule(tree, resource)
  const file = toKebabCase(resource.name)
  const change = (path: string, work: (text: string) => string) => tree.write(path, work(tree.read(path) ?? ''))
  change(`${folder}/server.ts`, (text) => mounted(text, resource, file))
  change(`${folder}/index.ts`, (text) => exported(text, resource, file))
  change(`${folder}/web.ts`, (text) => paged(text, resource, file))
}

function addModule(tree: Tree, { service, module, moduleLabel, under }: ManifestEntry): void {
  const group = `{ code: '${service}', label: ${words(moduleLabel)}, path: '/${service}', icon: 'appstore', sort: 80 }`
  const menu = `  menus: [${group}],\n`
  tree.write(
    `domains/${module}/server.ts`,
    `import { defineModule } from '#kit/server/module/module.ts'\n\n` +
      `export default defineModule({\n  name: '${module}',\n  label: ${words(moduleLabel)},\n` +
      `  resources: [],\n${under === service ? menu : ''}})\n`,
  )
  tree.write(`domains/${module}/index.ts`, '')
  tree.write(
    `domains/${module}/web.ts`,
    "import type { ModulePages } from '#kit/web/base/module-pages.ts'\n\nexport default {} satisfies ModulePages\n",
  )
  const modules = tree.read(MODULES_FILE)
  if (!modules || modules.includes(`#domains/${module}/server.ts`)) return
  const list = modules.lastIndexOf(']')
  const before = modules.slice(0, list).trimEnd()
  tree.write(
    MODULES_FILE,
    withImport(
      `${before}${before.endsWith(',') ? '' : ','}\n  ${service},\n${modules.slice(list)}`,
      `import ${service} from '#domains/${module}/server.ts'`,
    ),
  )
}

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const words = ({ zh, en }: { zh: string; en: string }) => `{ zh: ${quoted(zh)}, en: ${quoted(en)} }`

const parsed = (text: string) => ts.createSourceFile('door.ts', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS)

/** Adds an import line after the last one, unless it is there already. */
function withImport(text: string, line: string): string {
  if (text.includes(line)) return text
  const last = parsed(text).statements.filter(ts.isImportDeclaration).at(-1)
  return last ? `${text.slice(0, last.end)}\n${line}${text.slice(last.end)}` : `${line}\n${text}`
}

/** Adds a name to an existing import from a module, or else a new import. */
function withName(text: string, module: string, name: string): string {
  const found = parsed(text)
    .statements.filter(ts.isImportDeclaration)
    .find(({ moduleSpecifier, importClause }) => {
      const isOurs = ts.isStringLiteral(moduleSpecifier) && moduleSpecifier.text === module
      return (
        isOurs &&
        importClause?.namedBindings &&
        ts.isNamedImports(importClause.namedBindings) &&
        !importClause.isTypeOnly
      )
    })
  const bindings = found?.importClause?.namedBindings
  if (!bindings || !ts.isNamedImports(bindings)) return withImport(text, `import { ${name} } from '${module}'`)
  if (bindings.elements.some((one) => one.name.text === name)) return text
  const last = bindings.elements.at(-1)!
  return `${text.slice(0, last.end)}, ${name}${text.slice(last.end)}`
}

/** Returns the object in the file's default export: the argument of `defineModule`, or the pages. */
function exportedObject(text: string): ts.ObjectLiteralExpression {
  const given = parsed(text).statements.find(ts.isExportAssignment)?.expression
  const bare = given && ts.isSatisfiesExpression(given) ? given.expression : given
  const object = bare && ts.isCallExpression(bare) ? bare.arguments[0] : bare
  if (!object || !ts.isObjectLiteralExpression(object)) throw new Error('an entry file exports no object by default')
  return object
}

const propertyOf = (object: ts.ObjectLiteralExpression, name: string) =>
  object.properties.find((one) => one.name && ts.isIdentifier(one.name) && one.name.text === name)

/** Adds an entry to a list or object of the default export, which is created when missing. */
function withEntry(text: string, name: string, entry: string, brackets: '[]' | '{}'): string {
  const [open, close] = brackets
  const object = exportedObject(text)
  const property = propertyOf(object, name)
  if (!property) {
    const last = object.properties.at(-1)
    const at = last ? last.end : object.getStart() + 1
    const added = `\n${name}: ${open}${entry}${close}`
    return `${text.slice(0, at)}${last ? `,${added}` : `${added},`}${text.slice(at)}`
  }
  if (ts.isShorthandPropertyAssignment(property))
    return [
      text.slice(0, property.getStart()),
      `${name}: ${open}...${name}, ${entry}${close}`,
      text.slice(property.end),
    ].join('')
  const value = ts.isPropertyAssignment(property) ? property.initializer : undefined
  if (!value || !(ts.isArrayLiteralExpression(value) || ts.isObjectLiteralExpression(value)))
    throw new Error(`"${name}" of an entry file is no list; put ${entry} there by hand`)
  const parts = ts.isArrayLiteralExpression(value) ? value.elements : value.properties
  const last = parts.at(-1)
  const at = last ? last.end : value.getStart() + 1
  return `${text.slice(0, at)}${last ? ', ' : ''}${entry}${text.slice(at)}`
}

/** Registers the resource and its dictionaries in the module's `server.ts`. */
function mounted(given: string, { name, dictionaries, withServer }: ManifestEntry, file: string): string {
  let text = given
  const plain = `serve(${name})`
  if (withServer && !new RegExp(`\\b${name}Server\\b`).test(text)) {
    if (text.includes(plain)) {
      text = text.replace(plain, `${name}Server`)
      text = text.replace(new RegExp(`^import \\{ ${name} \\} from .*\\n`, 'm'), '')
    } else text = withEntry(text, 'resources', `${name}Server`, '[]')
    text = withImport(text, `import { ${name}Server } from './${file}.server.ts'`)
  } else if (!withServer && !text.includes(plain) && !new RegExp(`\\b${name}Server\\b`).test(text)) {
    text = withEntry(text, 'resources', plain, '[]')
    text = withName(text, '#kit/server/module/module.ts', 'serve')
    text = withImport(text, `import { ${name} } from './${file}.resource.ts'`)
  }
  for (const one of dictionaries.filter((other) => !new RegExp(`\\b${other}\\b`).test(text))) {
    text = withEntry(text, 'dictionaries', one, '[]')
    text = withName(text, `./${file}.dictionaries.ts`, one)
  }
  return text
}

function exported(text: string, { name }: ManifestEntry, file: string): string {
  const line = `export { ${name} } from './${file}.resource.ts'`
  return new RegExp(`\\b${name}\\b`).test(text) ? text : `${text.trimEnd()}${text.trim() ? '\n' : ''}${line}\n`
}

/** Registers the resource, or its own page, in the module's `web.ts`. */
function paged(text: string, { name, page, withPage }: ManifestEntry, file: string): string {
  if (text.includes(`./${file}.page.tsx`)) return text
  const isImported = text.includes(`./${file}.resource.ts`)
  if (isImported && !withPage) return text
  const rest = text.replace(new RegExp(`^.*import\\('\\./${file}\\.resource\\.ts'\\).*\\n`, 'm'), '')
  return withPage
    ? withEntry(rest, 'pages', `'${page}': () => import('./${file}.page.tsx')`, '{}')
    : withEntry(
        rest,
        'resources',
        `'${page}': () => import('./${file}.resource.ts').then(({ ${name} }) => ({ resource: ${name} }))`,
        '{}',
      )
}
