import { ts } from 'ts-morph'

/**
 * Merges three versions of a declaration file: `mine` with people's edits, the generated one `before`, and the one
 * generated `now`. Works property by property. What only the generator changed is taken; what a person changed stays,
 * with a message. Generated fields that people's code in `mine` or `beside` still names also stay.
 */
export function mergeDeclaration(
  mine: string,
  before: string | undefined,
  now: string,
  companions: readonly string[] = [],
): Merged {
  const first = mergedOnce(mine, before, now, new Set())
  const kept = keptAlive(first, companions)
  return kept.length ? mergedOnce(mine, before, now, new Set(kept)) : first
}

function mergedOnce(mine: string, before: string | undefined, now: string, kept: ReadonlySet<string>): Once {
  const merge: Merge = { mine: parsed(mine), edits: [], told: [], kept }
  const own = declarationsOf(merge.mine)
  const old = declarationsOf(parsed(before ?? ''))
  for (const [name, { text, object }] of declarationsOf(parsed(now))) {
    const ours = own.get(name)
    if (ours) mergeObjects(merge, ours.object, old.get(name)?.object, object, [])
    else if (!old.has(name)) merge.edits.push({ at: mine.length, end: mine.length, text: `\n${text}\n` })
  }
  return { text: applied(mine, merge.edits), told: merge.told, edits: merge.edits }
}

type Once = Merged & { edits: readonly Edit[] }
type Merged = { text: string; told: string[] }
type Edit = { at: number; end: number; text: string; dropped?: string }
type Merge = { mine: ts.SourceFile; edits: Edit[]; told: string[]; kept: ReadonlySet<string> }

const parsed = (text: string): ts.SourceFile =>
  ts.createSourceFile('declaration.ts', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS)

type Declared = { text: string; object: ts.ObjectLiteralExpression }

/** Returns the objects of `export const x = define…({ … })` in a file, by name. */
function declarationsOf(file: ts.SourceFile): Map<string, Declared> {
  const found = new Map<string, Declared>()
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue
    for (const one of statement.declarationList.declarations) {
      const object = one.initializer && objectOf(one.initializer)
      if (object) found.set(one.name.getText(), { text: statement.getText(), object })
    }
  }
  return found
}

const objectOf = (node: ts.Expression): ts.ObjectLiteralExpression | undefined => {
  const bare = ts.isSatisfiesExpression(node) || ts.isAsExpression(node) ? node.expression : node
  if (ts.isObjectLiteralExpression(bare)) return bare
  const [first] = ts.isCallExpression(bare) ? bare.arguments : []
  return first && ts.isObjectLiteralExpression(first) ? first : undefined
}

const nameOf = (property: ts.ObjectLiteralElementLike): string | undefined =>
  property.name && (ts.isIdentifier(property.name) || ts.isStringLiteral(property.name))
    ? property.name.text
    : undefined

type Property = ts.PropertyAssignment
function propertiesOf(object: ts.ObjectLiteralExpression | undefined): Map<string, Property> {
  const found = new Map<string, Property>()
  for (const one of object?.properties ?? []) {
    const name = nameOf(one)
    if (name !== undefined && ts.isPropertyAssignment(one)) found.set(name, one)
  }
  return found
}

/** Returns all names of an object, also those of methods and shorthand properties. */
const namesOf = (object: ts.ObjectLiteralExpression): Set<string> =>
  new Set(object.properties.flatMap((one) => nameOf(one) ?? []))

/** Returns the tokens of a node without its layout, to compare code regardless of formatting. Comments count. */
function wordsOf(node: ts.Node): string {
  const words = known.get(node) ?? scanned(node)
  known.set(node, words)
  return words
}

const known = new WeakMap<ts.Node, string>()

type Token = { at: number; word: string }
const tokens = new WeakMap<ts.SourceFile, Token[]>()
const CLOSING = new Set(['}', ']', ')'])

function tokensOf(file: ts.SourceFile): Token[] {
  const found = tokens.get(file) ?? []
  if (tokens.has(file)) return found
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, file.text)
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    if (token === ts.SyntaxKind.WhitespaceTrivia || token === ts.SyntaxKind.NewLineTrivia) continue
    const isText = token === ts.SyntaxKind.StringLiteral
    const word = isText ? JSON.stringify(scanner.getTokenValue()) : scanner.getTokenText()
    found.push({ at: scanner.getTokenStart(), word })
  }
  tokens.set(file, found)
  return found
}

function scanned(node: ts.Node): string {
  const start = node.getStart()
  const words: string[] = []
  for (const { at, word } of tokensOf(node.getSourceFile())) {
    if (at >= node.end) break
    if (at < start) continue
    if (CLOSING.has(word) && words.at(-1) === ',') words.pop()
    words.push(word)
  }
  return words.join(' ')
}

const isSame = (one: ts.Node | undefined, other: ts.Node | undefined): boolean =>
  !!one && !!other && wordsOf(one) === wordsOf(other)

const hasComment = ({ mine }: Merge, { pos, end }: ts.Node): boolean =>
  /\/\/|\/\*/.test(mine.text.slice(pos, end).replace(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`/g, "''"))

const short = (node: ts.Node): string => {
  const text = node.getText().replace(/\s+/g, ' ')
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

type Object3 = ts.ObjectLiteralExpression
function mergeObjects(merge: Merge, mine: Object3, base: Object3 | undefined, next: Object3, path: string[]): void {
  const [own, old, coming] = [propertiesOf(mine), propertiesOf(base), propertiesOf(next)]
  const names = namesOf(mine)
  let after: ts.ObjectLiteralElementLike | undefined
  for (const [name, property] of coming) {
    const here = own.get(name)
    if (here) {
      mergeValues(merge, here.initializer, old.get(name)?.initializer, property.initializer, [...path, name])
      after = here
    } else if (names.has(name)) {
      // Written as a method or shorthand by a person, so it stays as it is.
      after = mine.properties.find((one) => nameOf(one) === name)
    } else if (!old.has(name)) insert(merge, mine, after, property)
    else if (!isSame(old.get(name), property))
      merge.told.push(
        `${[...path, name].join('.')}: you took it out, the table says ${short(property.initializer)}; it stays out`,
      )
  }
  for (const [name, property] of old) {
    const here = own.get(name)
    if (here && !coming.has(name)) drop(merge, here, property, [...path, name])
  }
}

function mergeValues(
  merge: Merge,
  mine: ts.Expression,
  base: ts.Expression | undefined,
  next: ts.Expression,
  path: string[],
): void {
  if (isSame(mine, next) || isSame(base, next)) return
  // Fields are always merged one by one, since each may be kept because people's code names it.
  if (isSame(mine, base) && path.join('.') !== 'fields') {
    merge.edits.push({ at: mine.getStart(), end: mine.end, text: next.getText() })
    return
  }
  if (ts.isObjectLiteralExpression(mine) && ts.isObjectLiteralExpression(next)) {
    if (!base || ts.isObjectLiteralExpression(base)) return mergeObjects(merge, mine, base, next, path)
  } else if (ts.isArrayLiteralExpression(mine) && ts.isArrayLiteralExpression(next)) {
    if (!base || ts.isArrayLiteralExpression(base)) return mergeLists(merge, mine, base, next, path)
  } else if (ts.isCallExpression(mine) && ts.isCallExpression(next) && isSameCall(mine, base, next)) {
    next.arguments.forEach((argument, at) => {
      const old = base && ts.isCallExpression(base) ? base.arguments[at] : undefined
      mergeValues(merge, mine.arguments[at]!, old, argument, path)
    })
    return
  }
  merge.told.push(`${path.join('.')}: yours ${short(mine)}, the table says ${short(next)}; yours stays`)
}

/**
 * Whether all three versions call the same builder. If not, a person or the table changed the field's kind, and the
 * options do not fit each other.
 */
function isSameCall(mine: ts.CallExpression, base: ts.Expression | undefined, next: ts.CallExpression): boolean {
  const callee = wordsOf(mine.expression)
  const isLike = (one: ts.CallExpression) =>
    wordsOf(one.expression) === callee && one.arguments.length === mine.arguments.length
  return isLike(next) && (!base || (ts.isCallExpression(base) && isLike(base)))
}

/** Returns what identifies an entry of a list: its `key`, or the whole entry. */
function keyOf(node: ts.Expression): string {
  const key = ts.isObjectLiteralExpression(node) ? propertiesOf(node).get('key') : undefined
  return wordsOf(key?.initializer ?? node)
}

type List = ts.ArrayLiteralExpression
function mergeLists(merge: Merge, mine: List, base: List | undefined, next: List, path: string[]): void {
  const [own, old, coming] = [mine, base, next].map(
    (list) => new Map((list?.elements ?? []).map((one) => [keyOf(one), one])),
  ) as [Map<string, ts.Expression>, Map<string, ts.Expression>, Map<string, ts.Expression>]
  let after: ts.Expression | undefined
  for (const [key, entry] of coming) {
    const here = own.get(key)
    if (here) {
      if (ts.isObjectLiteralExpression(here)) mergeValues(merge, here, old.get(key), entry, [...path, key])
      after = here
    } else if (!old.has(key)) insert(merge, mine, after, entry)
  }
  for (const [key, entry] of old) {
    const here = own.get(key)
    if (here && !coming.has(key)) drop(merge, here, entry, [...path, key])
  }
}

/** Inserts a property or an entry after its neighbour; a comment behind that on the same line stays with it. */
function insert(merge: Merge, into: Object3 | List, after: ts.Node | undefined, node: ts.Node): void {
  const { text } = merge.mine
  const newText = node.getText()
  if (!after) {
    const at = into.getStart() + 1
    merge.edits.push({ at, end: at, text: `\n${newText},` })
    return
  }
  const comma = /^(\s*,)([ \t]*\/\/[^\n]*)?/.exec(text.slice(after.end))
  const at = after.end + (comma ? comma[0].length : 0)
  merge.edits.push({ at, end: at, text: comma ? `\n${newText},` : `,\n${newText}` })
}

/**
 * Removes what the generator no longer makes. What a person changed or commented, or still names, stays with a message.
 */
function drop(merge: Merge, mine: ts.Node, base: ts.Node, path: string[]): void {
  const name = path.at(-1)!
  if (merge.kept.has(path.join('.'))) {
    merge.told.push(`${path.join('.')}: gone from the table, and still named by what you wrote; it stays`)
    return
  }
  if (!isSame(mine, base) || hasComment(merge, mine)) {
    merge.told.push(`${path.join('.')}: gone from the table, and changed by you; it stays`)
    return
  }
  const comma = /^\s*,/.exec(merge.mine.text.slice(mine.end))
  merge.edits.push({
    at: mine.pos,
    end: mine.end + (comma ? comma[0].length : 0),
    text: '',
    ...(path[0] === 'fields' && path.length === 2 && { dropped: name }),
  })
}

function applied(text: string, edits: readonly Edit[]): string {
  let out = text
  // Applied from the end of the file, and edits of one position in reverse, so that they end up in their order.
  const ordered = edits.map((edit, at) => ({ ...edit, order: at })).toSorted((a, b) => b.at - a.at || b.order - a.order)
  for (const { at, end, text: next } of ordered) out = out.slice(0, at) + next + out.slice(end)
  return out
}

/** Returns the removed fields that people's code still names. */
function keptAlive({ edits, text }: Once, companions: readonly string[]): string[] {
  const dropped = edits.flatMap((edit) => edit.dropped ?? [])
  if (!dropped.length) return []
  const named = new Set([...namedIn(text), ...companions.flatMap(wordsIn)])
  return dropped.filter((name) => named.has(name)).map((name) => `fields.${name}`)
}

/** Properties whose keys name fields: `enabled: { layers: … }`, or with a filter's suffix `where: { layers_in: … }`. */
const KEYED_BY_FIELD = ['enabled', 'scope', 'where']

/** Returns the names a declaration mentions: as strings, as keys of `NAMING`, and as `{name}` in a text. */
function namedIn(declaration: string): Set<string> {
  const named = new Set<string>()
  const look = (node: ts.Node): void => {
    if (ts.isStringLiteral(node)) named.add(node.text)
    if (ts.isPropertyAssignment(node) && KEYED_BY_FIELD.includes(nameOf(node) ?? ''))
      for (const key of propertiesOf(objectOf(node.initializer)).keys()) named.add(key.replace(/_.*$/, ''))
    for (const hole of ts.isStringLiteral(node) ? node.text.matchAll(/\{(\w+)\}/g) : []) named.add(hole[1]!)
    ts.forEachChild(node, look)
  }
  look(parsed(declaration))
  return named
}

/**
 * Returns every word of a file that may name a field, since code may write `row.layers` as well as `cells: { layers }`.
 */
const wordsIn = (text: string): string[] => text.match(/[A-Za-z_$][\w$]*/g) ?? []
