import pg from 'pg'

type Statement = { text: string; values?: unknown[] }
type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Total Time': number
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Node[]
}

/** Counts that run on in the background while nobody waits for them. */
const IN_BACKGROUND = /^select count\(\*\) as n /

/** Returns the statements on a table that a call waits for. */
export async function statementsOf(table: string, call: () => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = []
  const query = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown
  pg.Client.prototype.query = function (this: pg.Client, ...args: any[]) {
    // A batch is one query with several statements.
    for (const one of (args[0]?.statements ?? [args[0]]) as Statement[])
      if (one?.text?.includes(`"${table}" r`) && !IN_BACKGROUND.test(one.text)) seen.push(one)
    return query.apply(this, args)
  } as never
  try {
    await call()
  } finally {
    pg.Client.prototype.query = query as never
  }
  return seen
}

/** Returns PostgreSQL's plan of a tenant's statement. */
async function explain(owner: pg.Pool, tenantId: string, how: string, { text, values }: Statement): Promise<unknown[]> {
  const client = await owner.connect()
  try {
    await client.query(`begin; set local role store_app; set local app.tenant = '${tenantId}'`)
    const { rows } = await client.query({ text: `explain (${how}) ${text}`, values: [...(values ?? [])] })
    return rows.map((row) => row['QUERY PLAN'] as unknown)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

export const planOf = (owner: pg.Pool, tenantId: string, statement: Statement): Promise<unknown[]> =>
  explain(owner, tenantId, 'analyze, buffers', statement)

const msOf = (node: Node): number => node['Actual Total Time'] * node['Actual Loops']
const allOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(allOf)]
const ownOf = (node: Node): number => msOf(node) - (node.Plans ?? []).reduce((sum, one) => sum + msOf(one), 0)

/** Returns the table access that took longest by itself, with the rows it read. */
export async function heaviestNode(owner: pg.Pool, tenantId: string, statement: Statement): Promise<string> {
  const [plan] = await explain(owner, tenantId, 'analyze, format json', statement)
  const [{ Plan: root }] = plan as [{ Plan: Node }]
  const [node] = allOf(root)
    .filter((one) => one['Relation Name'] ?? one['Index Name'])
    .toSorted((one, other) => ownOf(other) - ownOf(one))
  if (!node) return `${root['Node Type']}, ${msOf(root).toFixed(0)} ms`
  const looked = Math.round(((node['Rows Removed by Filter'] ?? 0) + node['Actual Rows']) * node['Actual Loops'])
  const of = node['Index Name'] ?? node['Relation Name']
  return `${node['Node Type']} of ${of}, ${looked} rows, ${ownOf(node).toFixed(0)} of ${msOf(root).toFixed(0)} ms`
}
