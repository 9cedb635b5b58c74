import { loadModule, parseSync } from 'libpg-query'

/**
 * Creates a function that returns the tenant tables a statement joins without restricting them to one tenant. Uses
 * PostgreSQL's own parser: an equality of `tenant_id` puts two tables into one group, and a parameter all those
 * compared with it. Tables left in several groups could mix rows of two tenants, and a database distributed by tenant
 * could not answer in one place.
 */
export async function openTenantJoins(tenantTables: ReadonlySet<string>) {
  await loadModule()
  return (text: string): string[] => {
    const reading = new Reading(tenantTables)
    const { stmts } = parseSync(text) as { stmts: { stmt: Tree }[] }
    for (const { stmt } of stmts) reading.statement(stmt)
    return reading.apart()
  }
}

type Tree = { [key: string]: any }
/** A group of tables restricted to the same tenant. Groups found to be equal point to each other. */
type Group = { same?: Group }
type Columns = Map<string, Group>
type Scope = { items: Map<string, Columns>; known: Map<string, Columns>; outer?: Scope }

const rootOf = (group: Group): Group => (group.same ? rootOf(group.same) : group)
const wordsOf = (list: Tree[] = []): string[] => list.map((one) => one.String?.sval ?? '')
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null
const DATA_CHANGES = ['InsertStmt', 'UpdateStmt', 'DeleteStmt'] as const

class Reading {
  /** The group restricted by a parameter, a constant or the transaction's setting. */
  readonly #fixed: Group = {}
  readonly #tables: { name: string; group: Group }[] = []
  readonly #tenantTables: ReadonlySet<string>

  constructor(tenantTables: ReadonlySet<string>) {
    this.#tenantTables = tenantTables
  }

  /** Returns the tables of each group when there is more than one group. */
  apart(): string[] {
    const groups = Map.groupBy(this.#tables, ({ group }) => rootOf(group))
    if (groups.size < 2) return []
    return [...groups.values()].map((found) => [...new Set(found.map(({ name }) => name))].sort().join('+')).sort()
  }

  /** Reads a statement or query. Returns its columns that hold a tenant id. */
  statement(tree: Tree, outer?: Scope): Columns {
    if (tree.SelectStmt) return this.#select(tree.SelectStmt, outer)
    for (const kind of DATA_CHANGES) if (tree[kind]) return this.#change(tree[kind], outer)
    return new Map()
  }

  #scope(tree: Tree, outer?: Scope): Scope {
    const scope: Scope = { items: new Map(), known: new Map(), outer }
    for (const { CommonTableExpr: cte } of tree.withClause?.ctes ?? []) {
      const names = wordsOf(cte.aliascolnames)
      // A recursive query belongs to the group it starts with.
      if (tree.withClause.recursive) scope.known.set(cte.ctename, new Map([['tenant_id', {}]]))
      const columns = named(this.statement(cte.ctequery, scope), names)
      for (const [name, group] of scope.known.get(cte.ctename) ?? []) this.#join(group, columns.get(name))
      scope.known.set(cte.ctename, columns)
    }
    return scope
  }

  #select(tree: Tree, outer?: Scope): Columns {
    const scope = this.#scope(tree, outer)
    if (tree.larg) {
      const before = this.#tables.length
      const one = this.#select(tree.larg, scope)
      const between = this.#tables.length
      const other = this.#select(tree.rarg, scope)
      const others = [...other.values()]
      for (const [at, group] of [...one.values()].entries()) this.#join(group, others[at])
      // The rows of a UNION are not joined with each other.
      this.#join(this.#firstSince(before), this.#firstSince(between))
      return one
    }
    for (const item of tree.fromClause ?? []) this.#from(item, scope)
    const { fromClause: _from, withClause: _with, ...rest } = tree
    this.#walk(rest, scope)
    return this.#columns(tree.targetList, scope)
  }

  #change(tree: Tree, outer?: Scope): Columns {
    const scope = this.#scope(tree, outer)
    const { relation, fromClause, usingClause, selectStmt, withClause: _with, ...rest } = tree
    if (selectStmt) {
      this.statement(selectStmt, scope)
      this.#item(relation, scope, false)
      this.#item({ ...relation, alias: { aliasname: 'excluded' } }, scope, false)
    } else this.#item(relation, scope, true)
    for (const item of [...(fromClause ?? []), ...(usingClause ?? [])]) this.#from(item, scope)
    this.#walk(rest, scope)
    return this.#columns(tree.returningClause?.exprs ?? tree.returningList, scope)
  }

  #from(item: Tree, scope: Scope): void {
    if (item.RangeVar) this.#item(item.RangeVar, scope, true)
    if (item.RangeFunction) this.#walk(item.RangeFunction, scope)
    if (item.RangeSubselect) {
      const { subquery, alias } = item.RangeSubselect
      scope.items.set(alias?.aliasname ?? '', named(this.statement(subquery, scope), wordsOf(alias?.colnames)))
    }
    if (!item.JoinExpr) return
    const { larg, rarg, usingClause, quals } = item.JoinExpr
    const sides = [larg, rarg].map((side) => {
      const before = new Set(scope.items.keys())
      this.#from(side, scope)
      return [...scope.items].filter(([name]) => !before.has(name)).map(([, columns]) => columns)
    })
    for (const word of wordsOf(usingClause)) {
      const [one, ...others] = sides.flatMap((side) => side.flatMap((columns) => columns.get(word) ?? []))
      for (const other of others) this.#join(one, other)
    }
    if (quals) this.#walk(quals, scope)
  }

  #item({ relname, alias }: Tree, scope: Scope, isRead: boolean): void {
    const known = alias?.aliasname === 'excluded' ? undefined : knownOf(relname, scope)
    const columns: Columns = known ?? new Map()
    if (!known && this.#tenantTables.has(relname)) {
      const group: Group = {}
      columns.set('tenant_id', group)
      if (isRead) this.#tables.push({ name: relname, group })
    }
    scope.items.set(alias?.aliasname ?? relname, named(columns, wordsOf(alias?.colnames)))
  }

  /** Records all equalities and reads nested queries. */
  #walk(tree: unknown, scope: Scope): void {
    if (Array.isArray(tree)) for (const one of tree) this.#walk(one, scope)
    else if (isTree(tree)) {
      if (tree.SelectStmt) return void this.#select(tree.SelectStmt, scope)
      if (tree.SubLink) return this.#subquery(tree.SubLink, scope)
      if (tree.A_Expr) this.#comparison(tree.A_Expr, scope)
      for (const value of Object.values(tree)) if (isTree(value)) this.#walk(value, scope)
    }
  }

  /** Reads a subquery in an expression, and what its first column is compared with. */
  #subquery({ testexpr, subselect, subLinkType }: Tree, scope: Scope): void {
    const before = this.#tables.length
    const [column] = this.statement(subselect, scope).values()
    // An uncorrelated scalar subquery: its rows are not joined with others.
    if (subLinkType === 'EXPR_SUBLINK' && !dependsOnOutside(subselect))
      this.#join(this.#firstSince(before), this.#tables[0]?.group)
    for (const side of sidesOf(testexpr)) this.#join(this.#groupOf(side, scope), column)
    this.#walk(testexpr, scope)
  }

  #comparison({ kind, name, lexpr, rexpr }: Tree, scope: Scope): void {
    if ((kind === 'AEXPR_OP' || kind === 'AEXPR_NOT_DISTINCT') && wordsOf(name).join('') === '=') {
      const right = sidesOf(rexpr)
      for (const [at, side] of sidesOf(lexpr).entries())
        this.#join(this.#groupOf(side, scope), this.#groupOf(right[at], scope))
    }
    // The tenant's own rows and those shared by all tenants.
    if (kind === 'AEXPR_IN' && rexpr.List)
      this.#join(this.#groupOf(lexpr, scope), this.#groupOf(rexpr.List.items[0], scope))
  }

  #columns(targets: Tree[] = [], scope: Scope): Columns {
    const columns: Columns = new Map()
    for (const { ResTarget } of targets) {
      const { name, val } = ResTarget ?? {}
      const fields: Tree[] = val?.ColumnRef?.fields ?? []
      if (fields.at(-1)?.A_Star) {
        for (const [key, group] of allColumns(fields, scope)) columns.set(key, group)
        continue
      }
      const group = this.#groupOf(val, scope)
      if (group) columns.set(name ?? wordsOf(fields).at(-1) ?? 'tenant_id', group)
    }
    for (const [key, group] of columns)
      if (rootOf(group) === rootOf(this.#fixed) && key !== 'tenant_id') columns.delete(key)
    return columns
  }

  /** Returns the group whose tenant an expression names. */
  #groupOf(tree: unknown, scope: Scope): Group | undefined {
    if (!isTree(tree)) return undefined
    if (tree.TypeCast) return this.#groupOf(tree.TypeCast.arg, scope)
    if (tree.ParamRef || tree.A_Const) return this.#fixed
    if (tree.CoalesceExpr) return this.#groupOf(tree.CoalesceExpr.args[0], scope)
    if (tree.FuncCall)
      return wordsOf(tree.FuncCall.funcname).at(-1) === 'current_setting'
        ? this.#fixed
        : this.#tenantOnly(this.#groupOf(tree.FuncCall.args?.[0], scope))
    const words = wordsOf(tree.ColumnRef?.fields)
    if (words.length === 2) return itemOf(words[0]!, scope)?.get(words[1]!)
    for (let at: Scope | undefined = scope; at && words.length === 1; at = at.outer)
      for (const columns of at.items.values()) if (columns.has(words[0]!)) return columns.get(words[0]!)
    return undefined
  }

  #tenantOnly = (group: Group | undefined) => (group === this.#fixed ? undefined : group)

  #firstSince = (count: number): Group | undefined => this.#tables[count]?.group

  #join(one: Group | undefined, other: Group | undefined): void {
    if (!one || !other) return
    const [first, second] = [rootOf(one), rootOf(other)]
    if (first !== second) first.same = second
  }
}

const sidesOf = (tree: Tree | undefined): Tree[] => tree?.RowExpr?.args ?? (tree ? [tree] : [])

/** Applies an alias's column names: tenant columns come first or keep their names. */
const named = (columns: Columns, names: readonly string[]): Columns =>
  names.length && !names.includes('tenant_id') && columns.size
    ? new Map([...columns, [names[0]!, [...columns.values()][0]!]])
    : columns

const knownOf = (name: string, scope: Scope | undefined): Columns | undefined =>
  scope && (scope.known.get(name) ?? knownOf(name, scope.outer))

const itemOf = (name: string, scope: Scope | undefined): Columns | undefined =>
  scope && (scope.items.get(name) ?? itemOf(name, scope.outer))

/** Returns the columns of a `*`: of the item named before it, or of all. */
const allColumns = (fields: Tree[], scope: Scope): (readonly [string, Group])[] =>
  (fields.length > 1 ? wordsOf(fields.slice(0, 1)) : [...scope.items.keys()]).flatMap((name) => [
    ...(itemOf(name, scope) ?? []),
  ])

/** Returns whether a query refers to an outer row by name. */
function dependsOnOutside(query: Tree): boolean {
  const inside = new Set<string>()
  const spoken = new Set<string>()
  const look = (tree: Tree): void => {
    if (tree.RangeVar) inside.add(tree.RangeVar.alias?.aliasname ?? tree.RangeVar.relname)
    for (const kind of ['RangeSubselect', 'RangeFunction']) if (tree[kind]) inside.add(tree[kind].alias?.aliasname)
    if (tree.ColumnRef?.fields.length > 1) spoken.add(wordsOf(tree.ColumnRef.fields)[0]!)
    for (const value of Object.values(tree)) if (isTree(value)) look(value)
  }
  look(query)
  return [...spoken].some((name) => !inside.has(name))
}
