/**
 * Reads SQL from the source without running it. Every `sql` template is assembled as the program would, with both sides
 * of each condition, following fragments through functions, parameters and files. What only the running program knows
 * becomes a parameter.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Sql } from 'sql-template-tag'
import { parseSync } from 'vite'
import type { SyntaxNode, TypeSource } from './row-types.ts'

type Node = { type: string; start: number; end: number; [key: string]: any }
type Env = { fn: Node; args: Value[][]; file: string; outer?: Env } | undefined

/** A possible value of an expression; where the program chooses, it has several. */
type Value =
  | { is: 'sql'; text: string; from: ReadonlySet<string>; hole?: string }
  | { is: 'known'; value: unknown }
  | { is: 'list'; items: Value[][] }
  | { is: 'code'; node: Node; env: Env; file: string }
  | { is: 'unknown'; why: string }

export type Statement = {
  /** `file:line` of the outermost template. */
  at: string
  text: string
  /** `file:line` of every template in it. */
  from: ReadonlySet<string>
  /** A fragment that could not be resolved. */
  hole?: string
}

type Module = {
  file: string
  source: string
  imports: Map<string, { file?: string; from: string; name: string }>
  parents: Map<Node, Node>
  tops: Map<string, Node>
  calls: Node[]
  templates: Node[]
  texts: Node[]
  /** The loaded module, for values computed at load time. */
  loaded?: Record<string, unknown>
}

const PARAMETER = '\u0001'
const DEPTH_MAX = 14
const NESTING_MAX = 60
/** Steps allowed for assembling one statement. */
const FUEL = 9_000
const VARIANTS_MAX = 12
const CONTEXTS_MAX = 16
const VERBS = /^\s*(?:\(\s*)?(?:select|insert|update|delete|with|values)\b/i
const WRAPPERS = new Set([
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'ParenthesizedExpression',
  'ChainExpression',
  'AwaitExpression',
])
/** List methods whose result is taken to have the same items. */
const KEEPING = new Set(['filter', 'slice', 'toSorted', 'toReversed', 'concat'])
const SCOPES = new Set(['Program', 'BlockStatement', 'StaticBlock'])

/** How the parts of a move stand in its statement (kit/server/resource/transition.ts). */
const MOVE_PARTS: Readonly<Record<string, (table: string, text: string) => string>> = {
  where: (table, text) => `select r.* from ${table} r where (${text})`,
  when: (table, text) => `select was.* from ${table} was where (${text})`,
  set: (table, text) =>
    `update ${table} r set ${text} from ${table} was where r.tenant_id = was.tenant_id and r.id = was.id`,
}

const isFunction = (node: Node): boolean =>
  /Function/.test(node.type) && 'params' in node && !node.type.startsWith('TS')
const isLoop = (node: Node): boolean => /^For(Of|In)Statement$/.test(node.type)
const sqlText = (text: string, from: Iterable<string> = [], hole?: string): Value => ({
  is: 'sql',
  text,
  from: new Set(from),
  hole,
})
const unknown = (why: string): Value => ({ is: 'unknown', why })
const known = (value: unknown): Value => ({ is: 'known', value })
const isKnown = (value: Value): value is Extract<Value, { is: 'known' }> => value.is === 'known'
const ofReal = (value: unknown): Value =>
  value instanceof Sql ? sqlText(value.strings.join(PARAMETER)) : { is: 'known', value }

/** A node's children, cached: trees do not change and are walked for every name. */
const children = new WeakMap<Node, Node[]>()

function childrenOf(node: Node): Node[] {
  const found = children.get(node)
  if (found) return found
  const out: Node[] = []
  children.set(node, out)
  for (const [key, value] of Object.entries(node)) {
    if (key === 'parent') continue
    for (const one of Array.isArray(value) ? value : [value])
      if (one && typeof one === 'object' && typeof one.type === 'string') out.push(one)
  }
  return out
}

function namesOf(pattern: Node): string[] {
  if (pattern.type === 'Identifier') return [pattern.name]
  if (pattern.type === 'AssignmentPattern') return namesOf(pattern.left)
  if (pattern.type === 'RestElement') return namesOf(pattern.argument)
  if (pattern.type === 'ObjectPattern')
    return pattern.properties.flatMap((one: Node) => namesOf(one.type === 'Property' ? one.value : one))
  if (pattern.type === 'ArrayPattern') return pattern.elements.flatMap((one: Node | null) => (one ? namesOf(one) : []))
  return []
}

/** Resolves an import to a source file; undefined for packages. */
function fileOf(root: string, file: string, from: string): string | undefined {
  const path = from.startsWith('.') ? join(dirname(file), from) : from.startsWith('#') ? from.slice(1) : undefined
  return path && existsSync(join(root, path)) ? path : undefined
}

function readModule(root: string, file: string): Module {
  const source = readFileSync(join(root, file), 'utf8')
  const program = parseSync(file, source).program as unknown as Node
  const module: Module = {
    file,
    source,
    imports: new Map(),
    parents: new Map(),
    tops: new Map(),
    calls: [],
    templates: [],
    texts: [],
  }

  const walk = (node: Node): void => {
    if (node.type === 'TaggedTemplateExpression' && node.tag.name === 'sql') module.templates.push(node)
    if (node.type === 'CallExpression') {
      module.calls.push(node)
      const [first] = node.arguments
      const isQuery = node.callee.type === 'MemberExpression' && node.callee.property.name === 'query'
      if (isQuery && (first?.type === 'TemplateLiteral' || first?.type === 'Literal')) module.texts.push(first)
    }
    for (const child of childrenOf(node)) {
      module.parents.set(child, node)
      walk(child)
    }
  }

  walk(program)
  for (const statement of program.body as Node[]) {
    if (statement.type === 'ImportDeclaration' || (statement.type === 'ExportNamedDeclaration' && statement.source)) {
      const from = statement.source.value as string
      for (const one of statement.specifiers as Node[])
        module.imports.set(one.type === 'ExportSpecifier' ? one.exported.name : one.local.name, {
          from,
          file: fileOf(root, file, from),
          name:
            one.type === 'ImportNamespaceSpecifier'
              ? '*'
              : one.type === 'ImportDefaultSpecifier'
                ? 'default'
                : (one.imported ?? one.local).name,
        })
    }
    const declared = statement.declaration ?? statement
    for (const one of declared.declarations ?? [declared])
      if (one?.id) for (const name of namesOf(one.id)) module.tops.set(name, one)
  }

  return module
}

/** Examples for values that only the running program knows. */
type Stands = {
  /** By a parameter's type: declarations, where the kit works with any. */
  types: Readonly<Record<string, readonly unknown[]>>
  /** By a property's name, of an unknown object. */
  members: Readonly<Record<string, readonly unknown[]>>
  /** By a function's name: its results. */
  answers: Readonly<Record<string, readonly unknown[]>>
}

export type Reader = {
  /** Returns the statements of the source, with every alternative at least once. */
  statements: () => Statement[]
  /** Returns `file:line` of every `sql` template. */
  templates: () => string[]
  /** Returns the calls of `one` and `query`, with the type each gives its rows and the statements it may run. */
  reads: () => Read[]
  types: TypeSource
}

/** A read of rows; `type` is missing where the caller says none. */
type Read = { at: string; file: string; type: SyntaxNode | undefined; statements: Statement[] }

/**
 * Creates a reader of these files. `load` imports a module for values computed at load time, and returns undefined for
 * modules that need a browser.
 */
export async function createReader(
  root: string,
  files: readonly string[],
  load: (file: string) => Promise<Record<string, unknown> | undefined> | undefined,
  stands: Stands,
): Promise<Reader> {
  const modules = new Map<string, Module>()
  const moduleOf = (file: string): Module => {
    let module = modules.get(file)
    if (!module) modules.set(file, (module = readModule(root, file)))
    return module
  }
  files.forEach(moduleOf)
  for (const file of files)
    for (const named of [file, ...[...moduleOf(file).imports.values()].map((one) => one.file)])
      if (named) moduleOf(named).loaded ??= await load(named)

  const lineOf = (file: string, node: Node) =>
    `${file}:${moduleOf(file).source.slice(0, node.start).split('\n').length}`
  const parentOf = (file: string, node: Node) => moduleOf(file).parents.get(node)
  const sourceOf = (file: string, node: Node) => moduleOf(file).source.slice(node.start, node.end).replace(/\s+/g, ' ')

  /** Calls by the called function's name, to find the arguments of a parameter. */
  const callers = new Map<string, { file: string; node: Node }[]>()
  for (const file of files)
    for (const node of moduleOf(file).calls) {
      const name = node.callee.type === 'MemberExpression' ? node.callee.property.name : node.callee.name
      if (typeof name !== 'string') continue
      const list = callers.get(name)
      if (list) list.push({ file, node })
      else callers.set(name, [{ file, node }])
    }

  const nameOfFunction = (file: string, fn: Node): string | undefined => {
    if (fn.id) return fn.id.name
    const parent = parentOf(file, fn)
    if (parent?.type === 'VariableDeclarator') return parent.id.name
    if (parent?.type === 'Property') return parent.key.name
    return undefined
  }

  /** Evaluations in progress, with the order they began in. */
  const busy = new Map<unknown, number>()
  /** The earliest evaluation that was left incomplete because it depends on itself. */
  let firstCut = Number.POSITIVE_INFINITY
  /** Returns nothing for an evaluation that is already in progress (recursion). */
  const once = <T>(key: unknown, work: () => T[]): T[] => {
    const begun = busy.get(key)
    if (begun !== undefined) {
      firstCut = Math.min(firstCut, begun)
      return []
    }
    busy.set(key, busy.size)
    try {
      return work()
    } finally {
      busy.delete(key)
    }
  }
  /**
   * Caches the result of an evaluation, unless recursion of an earlier one left it incomplete: evaluated from elsewhere
   * it may be more.
   */
  const keeping = (work: () => Value[], keep: (found: Value[]) => void): Value[] => {
    const before = firstCut
    firstCut = Number.POSITIVE_INFINITY
    const found = work()
    if (firstCut >= busy.size && fuel > 0) keep(found)
    firstCut = Math.min(before, firstCut >= busy.size ? Number.POSITIVE_INFINITY : firstCut)
    return found
  }

  const distinct = (values: Value[]): Value[] => {
    const seen = new Set<unknown>()
    return values
      .filter((one) => {
        const key =
          one.is === 'sql'
            ? `${one.text}\u0000${one.hole}`
            : one.is === 'known'
              ? one.value
              : one.is === 'code'
                ? one.node
                : one.is === 'unknown'
                  ? 'unknown'
                  : one
        if (seen.has(key)) return false
        seen.add(key)
        return true
      })
      .slice(0, CONTEXTS_MAX)
  }

  const typeName = (pattern: Node): string => {
    const type = pattern.typeAnnotation?.typeAnnotation
    return type?.typeName?.name ?? (type ? 'other' : '')
  }

  /** Returns example values for a parameter without known callers. */
  function standIn(file: string, fn: Node, pattern: Node): Value[] {
    const bare = pattern.type === 'AssignmentPattern' ? pattern.left : pattern
    let name = typeName(bare)
    const general = (fn.typeParameters?.params as Node[] | undefined)?.find((one) => one.name?.name === name)
    if (general?.constraint) name = general.constraint.typeName?.name ?? name
    const written = bare.typeAnnotation ? sourceOf(file, bare.typeAnnotation.typeAnnotation) : ''
    const given = stands.types[name] ?? stands.types[written]
    if (given) return given.map(known)
    if (name === 'Sql') return [sqlText('', [], `${nameOfFunction(file, fn) ?? ''}(${bare.name})`)]
    return [unknown(bare.name ?? '')]
  }

  function parameter(file: string, fn: Node, at: number, env: Env): Value[] {
    const pattern = fn.params[at] as Node
    const fallback = pattern.type === 'AssignmentPattern' ? evaluate(pattern.right, env, file) : []
    for (let one = env; one; one = one.outer)
      if (one.fn === fn) {
        if (pattern.type === 'RestElement') return [{ is: 'list', items: one.args.slice(at) }]
        const given = one.args[at]
        if (!given) return fallback.length ? fallback : [known(undefined)]
        const isOpen = given.every((value) => value.is === 'unknown')
        if (!isOpen) return given
        const standing = standIn(file, fn, pattern)
        return standing.some((value) => value.is !== 'unknown') ? standing : [...given, ...fallback]
      }
    return once(pattern, () => {
      const name = nameOfFunction(file, fn)
      const found = (name ? (callers.get(name) ?? []) : []).flatMap((call) =>
        (call.file === file || moduleOf(call.file).imports.has(name!)) && call.node.arguments[at]
          ? evaluate(call.node.arguments[at], undefined, call.file)
          : [],
      )
      const useful = distinct([
        ...found.filter((one) => one.is !== 'unknown' && !(one.is === 'sql' && one.hole)),
        ...fallback,
      ])
      if (!useful.length) return standIn(file, fn, pattern)
      return found.some((one) => one.is === 'unknown') ? [...useful, unknown('caller')] : useful
    })
  }

  /** Returns the part of a destructured value that a name is bound to. */
  function taken(pattern: Node, name: string, whole: () => Value[], file: string, env: Env): Value[] {
    if (pattern.type === 'Identifier') return whole()
    if (pattern.type === 'AssignmentPattern') {
      const found = taken(pattern.left, name, whole, file, env).filter(
        (one) => !(one.is === 'known' && one.value === undefined),
      )
      return pattern.left.type === 'Identifier' ? distinct([...found, ...evaluate(pattern.right, env, file)]) : found
    }
    if (pattern.type === 'ObjectPattern') {
      const property = (pattern.properties as Node[]).find((one) =>
        namesOf(one.type === 'Property' ? one.value : one).includes(name),
      )
      if (!property || property.type !== 'Property') return [unknown(name)]
      return taken(property.value, name, () => whole().flatMap((one) => member(one, property.key.name)), file, env)
    }
    if (pattern.type === 'ArrayPattern') {
      const at = (pattern.elements as (Node | null)[]).findIndex((one) => one && namesOf(one).includes(name))
      const inner = pattern.elements[at]
      if (!inner || inner.type === 'RestElement') return [unknown(name)]
      return taken(inner, name, () => whole().flatMap((one) => member(one, at)), file, env)
    }
    return [unknown(name)]
  }

  function member(value: Value, key: string | number): Value[] {
    if (nesting > NESTING_MAX) return [unknown(String(key))]
    nesting++
    try {
      return memberOf(value, key)
    } finally {
      nesting--
    }
  }

  function memberOf(value: Value, key: string | number): Value[] {
    if (value.is === 'known') {
      if (value.value === null || value.value === undefined) return [known(undefined)]
      return [ofReal((value.value as Record<string | number, unknown>)[key])]
    }
    if (value.is === 'list') return typeof key === 'number' ? (value.items[key] ?? [unknown('item')]) : [unknown(key)]
    if (value.is === 'code' && value.node.type === 'ObjectExpression') {
      const property = (value.node.properties as Node[]).find((one) => (one.key?.name ?? one.key?.value) === key)
      if (property) return evaluate(property.value, value.env, value.file)
      const spread = (value.node.properties as Node[]).filter((one) => one.type === 'SpreadElement')
      const found = spread.flatMap((one) =>
        evaluate(one.argument, value.env, value.file).flatMap((inner) => member(inner, key)),
      )
      return found.length ? found : spread.length ? [unknown(String(key))] : [known(undefined)]
    }
    return Object.hasOwn(stands.members, key) ? stands.members[key]!.map(ofReal) : [unknown(String(key))]
  }

  const roundOf = (loop: Node, env: Env): Value[] | undefined => {
    for (let one = env; one; one = one.outer) if (one.fn === loop) return one.args[0]
    return undefined
  }

  /** Returns all values that a name may have at a place in a file. */
  function lookUp(name: string, from: Node, env: Env, file: string): Value[] {
    if (name === 'undefined') return [known(undefined)]
    const module = moduleOf(file)
    for (let node: Node | undefined = from; node; node = module.parents.get(node)) {
      const found = boundBy(node, name, env, file)
      if (found) return found
    }
    const imported = module.imports.get(name)
    if (!imported?.file) return [unknown(name)]
    return exported(imported.file, imported.name)
  }

  /** Returns the values of a name that a function, loop or block binds; undefined when it binds none. */
  function boundBy(node: Node, name: string, env: Env, file: string): Value[] | undefined {
    if (isFunction(node)) return boundByFunction(node, name, env, file)
    if (isLoop(node)) return node.left.declarations ? boundByLoop(node, name, env, file) : undefined
    return SCOPES.has(node.type) ? boundByBlock(node, name, env, file) : undefined
  }

  function boundByFunction(fn: Node, name: string, env: Env, file: string): Value[] | undefined {
    const at = (fn.params as Node[]).findIndex((one) => namesOf(one).includes(name))
    if (at < 0) return undefined
    const pattern = fn.params[at] as Node
    const whole = () => parameter(file, fn, at, env)
    if (pattern.type === 'RestElement') return whole()
    const bare = pattern.type === 'AssignmentPattern' ? pattern.left : pattern
    return bare.type === 'Identifier' ? whole() : taken(bare, name, whole, file, env)
  }

  function boundByLoop(loop: Node, name: string, env: Env, file: string): Value[] | undefined {
    const [declared] = loop.left.declarations as Node[]
    if (!declared || !namesOf(declared.id).includes(name)) return undefined
    const round = env && roundOf(loop, env)
    return taken(declared.id, name, () => round ?? evaluate(loop.right, env, file).flatMap(itemsOf), file, env)
  }

  function boundByBlock(block: Node, name: string, env: Env, file: string): Value[] | undefined {
    const { loaded, imports } = moduleOf(file)
    const isProgram = block.type === 'Program'
    if (isProgram && loaded && name in loaded && !imports.has(name)) return exported(file, name)
    for (const statement of block.body as Node[]) {
      const inner = statement.declaration ?? statement
      for (const declared of inner.declarations ?? [inner])
        if (declared?.id && namesOf(declared.id).includes(name))
          return declaredAs(declared, name, block, isProgram ? undefined : env, file)
    }
    return undefined
  }

  function exported(file: string, name: string): Value[] {
    const module = moduleOf(file)
    const top = module.tops.get(name)
    const real = module.loaded?.[name]
    // Results of calls are taken from the loaded module; written-out values are read from the source, to know their
    // templates.
    if (top?.init?.type === 'CallExpression' && typeof real === 'object' && !(real instanceof Sql)) return [known(real)]
    if (top) {
      const found = declaredAs(top, name, undefined, undefined, file)
      if (found.some((one) => one.is !== 'unknown')) return found
    } else if (module.imports.has(name)) {
      const passed = module.imports.get(name)!
      if (passed.file) return exported(passed.file, passed.name)
    }
    if (module.loaded && name in module.loaded) return [ofReal(module.loaded[name])]
    return [unknown(name)]
  }

  function declaredAs(declared: Node, name: string, scope: Node | undefined, env: Env, file: string): Value[] {
    if (isFunction(declared)) return [{ is: 'code', node: declared, env, file }]
    if (declared.type !== 'VariableDeclarator') return [unknown(name)]
    return once(declared, () => {
      const first = declared.init ? taken(declared.id, name, () => evaluate(declared.init, env, file), file, env) : []
      if (!scope) return first
      const isList = declared.init?.type === 'ArrayExpression'
      const later = isList || !declared.init || first.every((one) => one.is === 'unknown' || one.is === 'known')
      if (!later && parentOf(file, declared)?.kind === 'const') return first
      const more: Value[] = []
      const pushed: Value[][] = []
      const walk = (node: Node): void => {
        if (node.type === 'AssignmentExpression' && node.left.name === name)
          more.push(...evaluate(node.right, env, file))
        if (
          node.type === 'CallExpression' &&
          node.callee.type === 'MemberExpression' &&
          node.callee.property.name === 'push' &&
          node.callee.object.name === name
        )
          for (const one of node.arguments as Node[])
            pushed.push(
              one.type === 'SpreadElement'
                ? evaluate(one.argument, env, file).flatMap(itemsOf)
                : evaluate(one, env, file),
            )
        childrenOf(node).forEach(walk)
      }
      walk(scope)
      if (isList && pushed.length)
        return [{ is: 'list', items: [...first.flatMap((one) => (one.is === 'list' ? one.items : [])), ...pushed] }]
      return distinct([...first, ...more])
    })
  }

  /** Returns a list's items; one unknown item for an unknown list. */
  function itemsOf(value: Value): Value[] {
    if (value.is === 'list') return value.items.flat()
    if (value.is === 'known' && Array.isArray(value.value)) return value.value.map(ofReal)
    return [unknown('item')]
  }

  /**
   * Splits arguments with several possible values into combinations, so that values that belong together stay together.
   */
  const apart = (args: Value[][]): Value[][][] => {
    const most = Math.min(VARIANTS_MAX, Math.max(1, ...args.map((one) => one.length)))
    return Array.from({ length: most }, (_one, at) => args.map((one) => (one.length ? [one[at % one.length]!] : one)))
  }

  /**
   * Returns the contexts in which a place is reached: each caller of the enclosing functions, each round of the loops.
   */
  function contextsOf(node: Node, file: string, level = 0): Env[] {
    const fn = around(file, node, (one) => isFunction(one) || isLoop(one))
    if (!fn || level > 5) return [undefined]
    const outer = contextsOf(fn, file, level + 1)
    const bound = (args: Value[][], up: Env): Env[] =>
      apart(args).map((chosen) => ({ fn, args: chosen, file, outer: up }))
    if (!isFunction(fn))
      return outer.flatMap((up) => bound([evaluate(fn.right, up, file).flatMap(itemsOf)], up)).slice(0, CONTEXTS_MAX)
    if (!fn.params.length) return outer
    const parent = parentOf(file, fn)
    if (
      parent?.type === 'CallExpression' &&
      parent.callee.type === 'MemberExpression' &&
      parent.callee.property.name !== 'push'
    )
      return outer
        .flatMap((up) => {
          const whole = evaluate(parent.callee.object, up, file)
          const items = whole.flatMap((one) => (one.is === 'list' || one.is === 'known' ? itemsOf(one) : []))
          return items.length ? bound([items], up) : [up]
        })
        .slice(0, CONTEXTS_MAX)
    const name = nameOfFunction(file, fn)
    const isInner = outer.some(Boolean) || around(file, fn, isFunction)
    const found = (name ? (callers.get(name) ?? []) : []).filter(
      (one) => one.file === file || (!isInner && moduleOf(one.file).imports.has(name!)),
    )
    if (!found.length) return outer
    return outer
      .flatMap((up) =>
        found.flatMap((one) =>
          bound(
            (one.node.arguments as Node[]).map((arg) => evaluate(arg, one.file === file ? up : undefined, one.file)),
            up,
          ),
        ),
      )
      .slice(0, CONTEXTS_MAX)
  }

  const around = (file: string, node: Node, isWanted: (one: Node) => boolean): Node | undefined => {
    let found = parentOf(file, node)
    while (found && !isWanted(found)) found = parentOf(file, found)
    return found
  }

  /** Results of functions by their arguments. */
  const answered = new Map<string, Value[]>()
  const ids = new WeakMap<object, number>()
  let lastId = 0
  const idOf = (thing: object): number => {
    let id = ids.get(thing)
    if (!id) ids.set(thing, (id = ++lastId))
    return id
  }
  const signedOne = (value: Value): string => {
    if (value.is === 'known') {
      const { value: what } = value
      return (typeof what === 'object' && what) || typeof what === 'function'
        ? `o${idOf(what)}`
        : `k${typeof what}${String(what)}`
    }
    if (value.is === 'sql') return `s${value.text}|${value.hole ?? ''}|${[...value.from].join()}`
    if (value.is === 'code') return `c${idOf(value.node)}${signedEnv(value.env)}`
    return value.is === 'list' ? `[${value.items.map(signed).join(';')}]` : 'u'
  }
  const signed = (values: Value[]): string => values.map(signedOne).join('/')
  const signedEnvs = new WeakMap<object, string>()
  const signedEnv = (env: Env): string => {
    if (!env) return ''
    let text = signedEnvs.get(env)
    if (!text)
      signedEnvs.set(
        env,
        (text = `@e${nameEnv(`${idOf(env.fn)}(${env.args.map(signed).join(';')})${signedEnv(env.outer)}`)}`),
      )
    return text
  }
  const envNames = new Map<string, number>()
  const nameEnv = (text: string): number => {
    let id = envNames.get(text)
    if (!id) envNames.set(text, (id = envNames.size + 1))
    return id
  }

  /**
   * Calls one of the program's own functions when all its arguments are known. Returns its result, unknown otherwise.
   */
  function applied(fn: unknown, self: unknown, args: Value[][], why: string): Value[] {
    const real = args.map((one) => one.find(isKnown))
    if (typeof fn !== 'function' || fn.constructor.name === 'AsyncFunction' || real.some((one) => !one))
      return [unknown(why)]
    try {
      return [
        ofReal(
          fn.apply(
            self,
            real.map((one) => one!.value),
          ),
        ),
      ]
    } catch {
      return [unknown(why)]
    }
  }

  let depth = 0
  function call(fn: Value, args: Value[][]): Value[] {
    if (fn.is === 'known' && typeof fn.value === 'function') return applied(fn.value, undefined, args, 'call')
    if (fn.is !== 'code' || !isFunction(fn.node) || depth > DEPTH_MAX) return [unknown('call')]
    const signature = `${idOf(fn.node)}(${args.map(signed).join(';')})${signedEnv(fn.env)}`
    const kept = answered.get(signature)
    if (kept) return kept
    depth++
    try {
      return keeping(
        () =>
          distinct(
            apart(args).flatMap((chosen) => {
              const env: Env = { fn: fn.node, args: chosen, file: fn.file, outer: fn.env }
              return returned(fn.node).flatMap((node) => (node ? evaluate(node, env, fn.file) : [known(undefined)]))
            }),
          ),
        (found) => answered.set(signature, found),
      )
    } finally {
      depth--
    }
  }

  function returned(fn: Node): (Node | undefined)[] {
    if (fn.body.type !== 'BlockStatement') return [fn.body]
    const out: (Node | undefined)[] = []
    const walk = (node: Node): void => {
      if (isFunction(node)) return
      if (node.type === 'ReturnStatement') out.push(node.argument ?? undefined)
      else childrenOf(node).forEach(walk)
    }
    walk(fn.body)
    return out
  }

  let nesting = 0
  function evaluate(node: Node, env: Env, file: string): Value[] {
    const kept = env ? undefined : plain.get(node)
    if (kept) return kept
    if (nesting > NESTING_MAX || fuel <= 0) return [unknown('too deep')]
    nesting++
    fuel--
    try {
      return env
        ? plainly(node, env, file)
        : keeping(
            () => plainly(node, env, file),
            (found) => plain.set(node, found),
          )
    } finally {
      nesting--
    }
  }
  /** Values of nodes that do not depend on a caller. */
  const plain = new Map<Node, Value[]>()
  let fuel = FUEL

  function plainly(node: Node, env: Env, file: string): Value[] {
    if (WRAPPERS.has(node.type)) return evaluate(node.expression ?? node.argument, env, file)
    const read = readers.get(node.type)
    if (read) return read(node, env, file)
    return isFunction(node) ? [{ is: 'code', node, env, file }] : [unknown(node.type)]
  }

  /** How each kind of expression is evaluated. */
  const readers = new Map<string, (node: Node, env: Env, file: string) => Value[]>([
    [
      'TaggedTemplateExpression',
      (node, env, file) => (node.tag.name === 'sql' ? template(node, env, file) : [unknown('tag')]),
    ],
    ['Literal', (node) => [known(node.value)]],
    ['TemplateLiteral', textOf],
    ['Identifier', name],
    ['ConditionalExpression', conditional],
    ['LogicalExpression', logical],
    ['MemberExpression', memberExpression],
    ['ArrayExpression', arrayOf],
    ['ObjectExpression', (node, env, file) => [{ is: 'code', node, env, file }]],
    ['CallExpression', called],
    ['UnaryExpression', negation],
    ['BinaryExpression', (node, env, file) => (/^[!=]==$/.test(node.operator) ? sameness : sum)(node, env, file)],
  ])

  function conditional({ test, consequent, alternate }: Node, env: Env, file: string): Value[] {
    const value = truth(test, env, file)
    if (value !== undefined) return evaluate(value ? consequent : alternate, env, file)
    return distinct([...evaluate(consequent, env, file), ...evaluate(alternate, env, file)])
  }

  function logical({ operator, left, right }: Node, env: Env, file: string): Value[] {
    const value = operator === '??' ? undefined : truth(left, env, file)
    if (value !== undefined) return evaluate(value === (operator === '&&') ? right : left, env, file)
    if (operator === '&&') return distinct([...evaluate(right, env, file), known(undefined)])
    const kept = evaluate(left, env, file).filter((one) => !(one.is === 'known' && !one.value))
    return distinct([...kept, ...evaluate(right, env, file)])
  }

  function memberExpression(node: Node, env: Env, file: string): Value[] {
    const keys: (string | number)[] = node.computed
      ? evaluate(node.property, env, file).flatMap((one) =>
          one.is === 'known' && ['string', 'number'].includes(typeof one.value) ? [one.value as string] : [],
        )
      : [node.property.name]
    const whole = evaluate(node.object, env, file)
    if (keys.length) return distinct(keys.flatMap((key) => whole.flatMap((one) => member(one, key))))
    return distinct(whole.flatMap(anyMember))
  }

  function arrayOf(node: Node, env: Env, file: string): Value[] {
    const items = (node.elements as Node[]).flatMap((one) =>
      one.type === 'SpreadElement' ? evaluate(one.argument, env, file).flatMap(spreadOf) : [evaluate(one, env, file)],
    )
    return [{ is: 'list', items }]
  }

  function negation({ operator, argument }: Node, env: Env, file: string): Value[] {
    const value = operator === '!' ? truth(argument, env, file) : undefined
    return [value === undefined ? unknown('not') : known(!value)]
  }

  /** Evaluates `===` and `!==` when both sides have a single known value. */
  function sameness({ operator, left, right }: Node, env: Env, file: string): Value[] {
    const both = [left, right].map((one: Node) => evaluate(one, env, file))
    const [one, other] = both.map((side) => (side.length === 1 ? side.find(isKnown) : undefined))
    return one && other ? [known((one.value === other.value) === (operator === '==='))] : [unknown('same')]
  }

  function sum({ operator, left, right }: Node, env: Env, file: string): Value[] {
    const sides = [left, right].map((one: Node) => evaluate(one, env, file)[0])
    return operator === '+' && sides.every((one) => one?.is === 'known')
      ? [known(sides.map((one) => (one as { value: unknown }).value).join(''))]
      : [unknown('sum')]
  }

  /** Returns a condition's value when the source alone decides it. */
  function truth(node: Node, env: Env, file: string): boolean | undefined {
    const found = evaluate(node, env, file)
    const values = found.map((one) =>
      one.is === 'known' ? Boolean(one.value) : one.is === 'unknown' ? undefined : true,
    )
    return values.length && values.every((one) => one === values[0]) ? values[0] : undefined
  }

  function anyMember(value: Value): Value[] {
    if (value.is === 'code' && value.node.type === 'ObjectExpression')
      return (value.node.properties as Node[]).flatMap((one) =>
        one.type === 'Property' ? evaluate(one.value, value.env, value.file) : [],
      )
    if (value.is === 'known' && value.value && typeof value.value === 'object')
      return Object.values(value.value).map(ofReal)
    return value.is === 'list' ? itemsOf(value) : [unknown('member')]
  }

  function name(node: Node, env: Env, file: string): Value[] {
    if (
      node.name === 'empty' &&
      /sql-template-tag|db\.ts|kit\/server/.test(moduleOf(file).imports.get('empty')?.from ?? '')
    )
      return [sqlText('')]
    return lookUp(node.name as string, node, env, file)
  }

  function textOf(node: Node, env: Env, file: string): Value[] {
    const slots = (node.expressions as Node[]).map((one) =>
      evaluate(one, env, file).filter((value) => value.is === 'known' && value.value !== undefined),
    )
    if (slots.some((one) => !one.length)) return [unknown('text')]
    const most = Math.max(1, ...slots.map((one) => one.length))
    return Array.from({ length: Math.min(most, VARIANTS_MAX) }, (_one, at) =>
      known(
        (node.quasis as Node[])
          .map((quasi, index) => {
            const slot = slots[index]
            const chosen = slot?.[at % slot.length] as { value: unknown } | undefined
            return quasi.value.cooked + (chosen ? String(chosen.value) : '')
          })
          .join(''),
      ),
    )
  }

  function called(node: Node, env: Env, file: string): Value[] {
    const { callee } = node
    const args = (node.arguments as Node[]).map((one) =>
      one.type === 'SpreadElement' ? evaluate(one.argument, env, file).flatMap(itemsOf) : evaluate(one, env, file),
    )
    if (callee.type === 'Identifier') return calledByName(node, args, env, file)
    return callee.type === 'MemberExpression' ? calledMethod(callee, args, env, file) : [unknown('call')]
  }

  function calledByName(node: Node, args: Value[][], env: Env, file: string): Value[] {
    const { callee } = node
    if (Object.hasOwn(stands.answers, callee.name)) return stands.answers[callee.name as string]!.map(ofReal)
    if (callee.name === 'raw')
      return distinct(
        (args[0] ?? []).map((one) =>
          one.is === 'known' ? sqlText(String(one.value)) : sqlText('', [], sourceOf(file, node)),
        ),
      )
    if (callee.name === 'join' && moduleOf(file).imports.get('join')) return joined(node, args, file)
    if (callee.name === 'String') return args[0]?.filter(isKnown) ?? []
    const fns = evaluate(callee, env, file)
    const found = distinct(fns.flatMap((fn) => call(fn, args)))
    if (found.some((one) => one.is !== 'unknown')) return found
    const imported = moduleOf(file).imports.get(callee.name as string)
    const real = imported?.file && moduleOf(imported.file).loaded?.[imported.name]
    return real ? call(known(real), args) : found
  }

  function calledMethod(callee: Node, args: Value[][], env: Env, file: string): Value[] {
    const method = callee.property.name as string
    if (callee.object.name === 'Object' && ['keys', 'values', 'entries'].includes(method))
      return (args[0] ?? []).map((one) => listed(one, method))
    const whole = evaluate(callee.object, env, file)
    const own = callee.computed
      ? whole.flatMap(anyMember)
      : whole.flatMap((one) => (one.is === 'list' ? [] : member(one, method)))
    const direct = own.filter((one) => one.is === 'code' || (one.is === 'known' && typeof one.value === 'function'))
    const isArray = whole.some((one) => one.is === 'list' || (one.is === 'known' && Array.isArray(one.value)))
    if (direct.some((one) => one.is === 'code') && !isArray) return distinct(direct.flatMap((fn) => call(fn, args)))
    return distinct(whole.flatMap((one) => onList(one, method, args)))
  }

  /** Evaluates `Object.keys`, `values` or `entries` of a known or written-out object. */
  function listed(value: Value, method: string): Value {
    const entries: [string, Value[]][] | undefined =
      value.is === 'known' && typeof value.value === 'object' && value.value
        ? Object.entries(value.value).map(([key, one]) => [key, [ofReal(one)]])
        : value.is === 'code' && value.node.type === 'ObjectExpression'
          ? (value.node.properties as Node[]).flatMap((one): [string, Value[]][] =>
              one.type === 'Property' && !one.computed
                ? [[String(one.key.name ?? one.key.value), evaluate(one.value, value.env, value.file)]]
                : [],
            )
          : undefined
    if (!entries) return unknown(method)
    const items = entries.map(([key, one]): Value[] =>
      method === 'keys' ? [known(key)] : method === 'values' ? one : [{ is: 'list', items: [[known(key)], one] }],
    )
    return { is: 'list', items }
  }

  /** Returns the items that a spread list adds, position by position. */
  const spreadOf = (value: Value): Value[][] =>
    value.is === 'list' ? value.items : itemsOf(value).map((inner) => [inner])

  function onList(value: Value, method: string, args: Value[][]): Value[] {
    if (isKnown(value) && !Array.isArray(value.value) && value.value !== null && value.value !== undefined)
      return applied((value.value as Record<string, unknown>)[method], value.value, args, method)
    const items = value.is === 'list' ? value.items : itemsOf(value).map((one) => [one])
    const fn = args[0]?.[0]
    const mapped = (by: Value) => items.map((one, at) => call(by, [one, [known(at)], [value]]))
    switch (method) {
      case 'map':
        return fn ? [{ is: 'list', items: mapped(fn) }] : [unknown(method)]
      case 'flatMap':
        return fn ? [{ is: 'list', items: mapped(fn).flatMap((one) => one.flatMap(spreadOf)) }] : [unknown(method)]
      case 'reduce':
        return fn ? reduced(fn, args[1] ? [args[1], ...items] : items) : [unknown(method)]
      case 'join':
        return [textJoined(items, fn)]
      default:
        return [KEEPING.has(method) ? { is: 'list', items } : unknown(method)]
    }
  }

  const reduced = (fn: Value, [first = [unknown('item')], ...rest]: Value[][]): Value[] =>
    rest.reduce((sum, one) => call(fn, [sum, one]), first)

  function textJoined(items: Value[][], by: Value | undefined): Value {
    const parts = items.map((one) => one.find(isKnown))
    const separator = by?.is === 'known' ? String(by.value) : ','
    return parts.every(Boolean) ? known(parts.map((one) => one!.value).join(separator)) : unknown('join')
  }

  function joined(node: Node, args: Value[][], file: string): Value[] {
    const by = args[1]?.[0]
    const separator = by?.is === 'known' ? String(by.value) : ','
    return distinct(
      (args[0] ?? []).flatMap((list) => {
        const items =
          list.is === 'list'
            ? list.items.filter((one) => one.some((each) => !(each.is === 'known' && each.value === undefined)))
            : itemsOf(list).map((one) => [one])
        return items.length
          ? weave(['', ...Array<string>(items.length - 1).fill(separator), ''], items, `${lineOf(file, node)}`, [])
          : []
      }),
    )
  }

  /**
   * Combines a template's texts with the values of its slots: as many variants as the slot with most values has, each
   * value at least once.
   */
  function weave(texts: readonly string[], slots: Value[][], at: string, from: readonly string[]): Value[] {
    const choices = slots.map((slot) => {
      const pieces = distinct(slot.filter((one) => !(one.is === 'known' && one.value === undefined && slot.length > 1)))
      const fragments = pieces.filter((one) => one.is === 'sql' && !one.hole)
      const whole = fragments.length ? fragments : pieces.filter((one) => !(one.is === 'sql' && one.hole))
      return whole.length ? whole : pieces.length ? pieces : [unknown('nothing')]
    })
    const most = Math.min(VARIANTS_MAX, Math.max(1, ...choices.map((one) => one.length)))
    return Array.from({ length: most }, (_one, variant) => {
      let text = texts[0] ?? ''
      let hole: string | undefined
      const inside = new Set(from)
      choices.forEach((choice, index) => {
        const piece = choice[variant % choice.length]!
        if (piece.is === 'sql') {
          text += piece.text
          hole ??= piece.hole
          for (const one of piece.from) inside.add(one)
        } else text += PARAMETER
        text += texts[index + 1] ?? ''
      })
      return sqlText(text, inside, hole && `${at} ${hole}`)
    })
  }

  const woven = new Map<Node, Value[]>()
  function template(node: Node, env: Env, file: string): Value[] {
    const kept = env ? undefined : woven.get(node)
    if (kept) return kept
    const at = lineOf(file, node)
    const work = () =>
      once(node, () =>
        weave(
          (node.quasi.quasis as Node[]).map((one) => one.value.cooked as string),
          (node.quasi.expressions as Node[]).map((one) => evaluate(one, env, file)),
          at,
          [at],
        ),
      )
    return env ? work() : keeping(work, (found) => woven.set(node, found))
  }

  const asStatement = (at: string, value: Value, wrap: (text: string) => string = (text) => text): Statement[] => {
    if (value.is !== 'sql') return []
    let n = 0
    return [
      {
        at,
        text: wrap(value.text).replaceAll(PARAMETER, () => `$${++n}`),
        from: value.from,
        hole: value.hole,
      },
    ]
  }

  /** Returns the exported or top-level declaration of a type, followed through imports. */
  function declarationOf(file: string, name: string): { file: string; node: Node } | undefined {
    const { tops, imports } = moduleOf(file)
    const node = tops.get(name)
    if (node) return /^TS(TypeAlias|Interface)Declaration$/.test(node.type) ? { file, node } : undefined
    const imported = imports.get(name)
    return imported?.file ? declarationOf(imported.file, imported.name) : undefined
  }

  function valueOf(file: string, name: string): unknown {
    const imported = moduleOf(file).imports.get(name)
    const [found] = imported?.file ? exported(imported.file, imported.name) : exported(file, name)
    if (found?.is === 'list') return found.items.map((one) => one.find(isKnown)?.value)
    return found?.is === 'known' ? found.value : undefined
  }

  function readOf(node: Node, file: string): Read[] {
    const { callee } = node
    const [statement] = node.arguments as Node[]
    const method = callee.type === 'MemberExpression' ? callee.property.name : undefined
    if ((method !== 'one' && method !== 'query') || !statement) return []
    fuel = FUEL
    const at = lineOf(file, node)
    const values = distinct(contextsOf(statement, file).flatMap((env) => evaluate(statement, env, file)))
    if (!values.some((one) => one.is === 'sql') && !node.typeArguments) return []
    return [
      { at, file, type: node.typeArguments?.params[0], statements: values.flatMap((value) => asStatement(at, value)) },
    ]
  }

  return {
    types: { declarationOf, valueOf },
    reads: () => files.flatMap((file) => moduleOf(file).calls.flatMap((node) => readOf(node, file))),
    templates: () => files.flatMap((file) => moduleOf(file).templates.map((node) => lineOf(file, node))),
    statements: () =>
      files.flatMap((file) => [
        ...moduleOf(file).templates.flatMap((node) => {
          fuel = FUEL
          const head = node.quasi.quasis[0].value.cooked as string
          if (head.trim() && !VERBS.test(head)) return []
          return distinct(contextsOf(node, file).flatMap((env) => template(node, env, file))).flatMap((value) =>
            value.is === 'sql' && VERBS.test(value.text) ? asStatement(lineOf(file, node), value) : [],
          )
        }),
        ...moduleOf(file).texts.flatMap((node) =>
          evaluate(node, undefined, file).flatMap((value) =>
            value.is === 'known' && VERBS.test(String(value.value))
              ? [{ at: lineOf(file, node), text: String(value.value), from: new Set<string>([lineOf(file, node)]) }]
              : [],
          ),
        ),
        ...moduleOf(file).calls.flatMap((node) => {
          fuel = FUEL
          return found(node, file)
        }),
      ]),
  }

  /** Returns the full statements for `db.find(resource, where, tail)` and for conditions passed to the kit. */
  function found(node: Node, file: string): Statement[] {
    const { callee } = node
    const at = lineOf(file, node)
    if (callee.type === 'MemberExpression' && callee.property.name === 'find' && node.arguments.length > 1) {
      const resources = evaluate(node.arguments[0], undefined, file).flatMap(tableIn)
      if (!resources.length) return []
      const slots = (node.arguments as Node[]).slice(1).map((one) => {
        fuel = FUEL
        return evaluate(one, undefined, file)
      })
      return weave([' where (', ') ', ''].slice(0, slots.length + 1), slots, at, []).flatMap((value) =>
        resources.flatMap((table) => asStatement(at, value, (text) => `select r.* from "${table}" r ${text}`)),
      )
    }
    if (callee.name === 'transition' || callee.name === 'transitionAll') return moved(node, file)
    const [first] = node.arguments as Node[]
    if (callee.name !== 'serve' || !first || !(node.arguments as Node[]).some((one) => one.type === 'ObjectExpression'))
      return []
    const hooks = (node.arguments as Node[])
      .filter((one) => one.type === 'ObjectExpression')
      .flatMap((one) => evaluate(one, undefined, file))
      .flatMap((one) => ['where', 'offers'].flatMap((key) => member(one, key)))
      .filter((one) => one.is === 'code')
    if (!hooks.length) return []
    return evaluate(first, undefined, file)
      .flatMap(tableIn)
      .flatMap((table) =>
        hooks
          .flatMap((fn) => call(fn, [[unknown('call')]]))
          .flatMap((value) => asStatement(at, value, (text) => `select r.* from "${table}" r where true ${text}`)),
      )
  }

  /** Returns statements with the conditions and assignments that a move of a resource's state is given. */
  function moved({ callee, arguments: given, ...node }: Node, file: string): Statement[] {
    const [, resource, where, , , options] = given as Node[]
    const tables = resource ? evaluate(resource, undefined, file).flatMap(tableIn) : []
    const at = lineOf(file, node)
    const parts = ((options?.type === 'ObjectExpression' ? options.properties : []) as Node[]).flatMap((one) =>
      one.type === 'Property' ? [[String(one.key.name), one.value as Node] as const] : [],
    )
    if (callee.name === 'transitionAll' && where) parts.push(['where', where])
    return parts.flatMap(([part, value]) => {
      const frame = MOVE_PARTS[part]
      if (!frame) return []
      fuel = FUEL
      const fragments = contextsOf(value, file).flatMap((env) => evaluate(value, env, file))
      return weave(['', ''], [fragments], at, []).flatMap((one) =>
        tables.flatMap((table) => asStatement(at, one, (text) => frame(`"${table}"`, text))),
      )
    })
  }

  function tableIn(value: Value): string[] {
    const table = value.is === 'known' && (value.value as { table?: unknown } | undefined)?.table
    return typeof table === 'string' ? [table] : []
  }
}
