import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Call } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import { dataSource } from './data-source.resource.ts'
import {
  resolveAllowedAddress,
  allowedSourceNetworks,
  requireAllowedSourceHost,
  requireAllowedSourcePort,
  type ResolveHost,
} from './source-network.ts'
import { DataSourceError, runDataSourceSession, type RunSourceQuery, type DataSourceLimits } from './source.client.ts'

export type DataSourceRow = RowOf<typeof dataSource>

/** Returns the id of the data source assigned to the tenant, the only one its models and reports may read. */
export async function findTenantDataSourceId(db: Db): Promise<string | undefined> {
  const row = await db.one<{ id: string | null }>(
    sql`select datasource_id::text as id from tenant where tenant_id = ${db.tenantId} and is_deleted = 0`,
  )
  return row?.id ?? undefined
}

/** Returns a data source the caller may read: any for the platform, the assigned one for a tenant. Refuses others. */
export async function requireReadableDataSource(
  { services, caller }: Pick<Call, 'services' | 'caller'>,
  id: string,
): Promise<DataSourceRow> {
  return services.unit({ tenantId: caller.tenantId }, async (db) => {
    const row = await db.get(dataSource, id)
    if (!row) throw new Refused('not_found', { label: dataSource.label })
    if (!caller.isPlatform && (await findTenantDataSourceId(db)) !== row.id) throw new Refused('source_not_yours')
    return row
  })
}

const VISITS_MAX = 2
const under = new Map<string, number>()

type Visit = { resolve?: ResolveHost; limits?: Partial<DataSourceLimits> }

/**
 * Runs `work` on a data source. The host is resolved and checked once, and the connection goes to that address. At most
 * `VISITS_MAX` sessions per data source. Errors are refused in general words; socket errors go to the log only.
 */
export async function readFromDataSource<T>(
  services: Pick<Services, 'config' | 'log'>,
  row: DataSourceRow,
  work: (ask: RunSourceQuery) => Promise<T>,
  { resolve, limits }: Visit = {},
): Promise<T> {
  const open = allowedSourceNetworks(services)
  requireAllowedSourcePort(row.port, open)
  requireAllowedSourceHost(row.host, open)
  const now = under.get(row.id) ?? 0
  if (now >= VISITS_MAX) throw new Refused('source_busy', { name: row.name })
  under.set(row.id, now + 1)
  try {
    const address = await inTime(resolveAllowedAddress(row.host, open, resolve), limits?.connectMs ?? LOOK_UP_MS)
    return await runDataSourceSession({ ...row, ...opened(services, row) }, address, work, limits)
  } catch (error) {
    throw refusalOf(services, row, error)
  } finally {
    const left = under.get(row.id)! - 1
    if (left) under.set(row.id, left)
    else under.delete(row.id)
  }
}

const LOOK_UP_MS = 5000

const opened = (services: Pick<Services, 'config'>, { password, useTls }: DataSourceRow) => ({
  password: password ? secretCipherOf(services).open(password) : '',
  useTls: useTls === true,
})

function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, fail) => {
    timer = setTimeout(() => fail(new DataSourceError('timeout', undefined)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function refusalOf({ log }: Pick<Services, 'log'>, { name, id }: DataSourceRow, error: unknown): unknown {
  if (error instanceof Refused) return error
  const isResolver = typeof (error as { hostname?: unknown } | null)?.hostname === 'string'
  if (!(error instanceof DataSourceError) && !isResolver) return error
  log.info({ err: error, dataSource: id }, 'a data source could not be read')
  if (!(error instanceof DataSourceError)) return new Refused('source_unreachable', { name })
  const { fault, code } = error
  return new Refused(`source_${fault}`, { name, code })
}
