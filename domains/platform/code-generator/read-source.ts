import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import type { Call } from '#kit/server/module.ts'
import type { Services } from '#kit/server/services.ts'
import { secretsOf } from '#domains/platform/files/api.ts'
import { dataSource } from './data-source.resource.ts'
import { addressOf, openTo, requireHost, requirePort, type Resolve } from './place.ts'
import { SourceError, visit, type RunSourceQuery, type Limits } from './source.client.ts'

export type SourceRow = RowOf<typeof dataSource>

/** The data source a tenant was given; its models and reports read no other. */
export async function sourceOfTenant(db: Db): Promise<string | undefined> {
  const row = await db.one<{ id: string | null }>(
    sql`select datasource_id::text as id from tenant where tenant_id = ${db.tenantId} and is_deleted = 0`,
  )
  return row?.id ?? undefined
}

/** A data source the caller may read from: any for the platform, its own for a tenant's people. */
export async function sourceFor(
  { services, caller }: Pick<Call, 'services' | 'caller'>,
  id: string,
): Promise<SourceRow> {
  return services.unit({ tenantId: caller.tenantId }, async (db) => {
    const row = await db.get(dataSource, id)
    if (!row) throw new Refused('not_found', { label: dataSource.label })
    if (!caller.isPlatform && (await sourceOfTenant(db)) !== row.id) throw new Refused('source_not_yours')
    return row
  })
}

const VISITS_MAX = 2
const under = new Map<string, number>()

type Visit = { resolve?: Resolve; limits?: Partial<Limits> }

/**
 * Reads from a data source. Its name is resolved once and looked at, and the connection goes to that address; few
 * visits at a time; people read what went wrong without the words of sockets, which are for the log.
 */
export async function readSource<T>(
  services: Pick<Services, 'config' | 'log'>,
  row: SourceRow,
  work: (ask: RunSourceQuery) => Promise<T>,
  { resolve, limits }: Visit = {},
): Promise<T> {
  const open = openTo(services)
  requirePort(row.port, open)
  requireHost(row.host, open)
  const now = under.get(row.id) ?? 0
  if (now >= VISITS_MAX) throw new Refused('source_busy', { name: row.name })
  under.set(row.id, now + 1)
  try {
    const address = await inTime(addressOf(row.host, open, resolve), limits?.connectMs ?? LOOK_UP_MS)
    return await visit({ ...row, ...opened(services, row) }, address, work, limits)
  } catch (error) {
    throw refusalOf(services, row, error)
  } finally {
    const left = under.get(row.id)! - 1
    if (left) under.set(row.id, left)
    else under.delete(row.id)
  }
}

const LOOK_UP_MS = 5000

const opened = (services: Pick<Services, 'config'>, { password, useTls }: SourceRow) => ({
  password: password ? secretsOf(services).open(password) : '',
  useTls: useTls === true,
})

function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, fail) => {
    timer = setTimeout(() => fail(new SourceError('timeout', undefined)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function refusalOf({ log }: Pick<Services, 'log'>, { name, id }: SourceRow, error: unknown): unknown {
  if (error instanceof Refused) return error
  const isResolver = typeof (error as { hostname?: unknown } | null)?.hostname === 'string'
  if (!(error instanceof SourceError) && !isResolver) return error
  log.info({ err: error, dataSource: id }, 'a data source could not be read')
  if (!(error instanceof SourceError)) return new Refused('source_unreachable', { name })
  const { fault, code } = error
  return new Refused(`source_${fault}`, { name, code })
}
