import { isEmptyInput } from '#kit/fields/base/field-kind.ts'
import { f } from '#kit/resource/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { resourceRoutes } from '#kit/server/mount/mount.ts'
import { actorOfCaller } from '#kit/server/request/pipeline.ts'
import { handleSubmitCall } from '#kit/server/resource/submit-of.ts'
import { defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import { SECRET_MASK } from '#kit/server/base/mask.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import { dataSource } from './data-source.resource.ts'
import { MYSQL_DRIVER_CLASS, DATA_SOURCE_REACHABILITY } from './dictionaries.ts'
import { parseJdbcUrl } from './jdbc.ts'
import { allowedSourceNetworks, requireAllowedSourceHost, requireAllowedSourcePort } from './source-network.ts'
import {
  readFromDataSource,
  requireReadableDataSource,
  findTenantDataSourceId,
  type DataSourceRow,
} from './read-source.ts'
import { listDataSourceTables } from './tables.client.ts'

/**
 * Fields a stored password is bound to. Changing one requires the password again: otherwise it would be sent to another
 * server or account.
 */
const BOUND = ['driverClass', 'host', 'port', 'databaseName', 'username', 'useTls'] as const

export const dataSourceServer = serve(dataSource, {
  without: ['submit'],
  // A tenant sees only the data source assigned to it.
  where: ({ caller }) =>
    caller.isPlatform
      ? sql``
      : sql` and r.id in (select t.datasource_id from tenant t where t.tenant_id = ${caller.tenantId}
          and t.is_deleted = 0)`,
  beforeSave: (draft, was, { services }) => {
    const open = allowedSourceNetworks(services)
    if (draft.host) requireAllowedSourceHost(draft.host, open)
    if (draft.port) requireAllowedSourcePort(draft.port, open)
    const isKept = draft.password === undefined || draft.password === null || draft.password === SECRET_MASK
    const isElsewhere = was && BOUND.some((key) => draft[key] !== undefined && draft[key] !== was[key])
    if (isElsewhere && was.password && isKept) throw new Refused('source_password', {}, { field: 'password' })
    if (isElsewhere) Object.assign(draft, { testState: null, testTime: null, testNote: null })
    if (isKept && was) delete draft.password
    else if (draft.password) draft.password = secretCipherOf(services).seal(draft.password)
  },
  present: (wire, rows) => {
    wire.forEach((row, at) => {
      row.password = SECRET_MASK
      row.url = addressOf(rows[at]!)
    })
  },
})

type Where = Pick<DataSourceRow, 'driverClass' | 'host' | 'port' | 'databaseName'>

function addressOf({ driverClass, host, port, databaseName }: Where): string {
  const kind = driverClass === MYSQL_DRIVER_CLASS ? 'mysql' : 'postgresql'
  return `jdbc:${kind}://${host.includes(':') ? `[${host}]` : host}:${port}/${databaseName}`
}

/**
 * Saves a data source. Older clients send its address as `url` together with the old separate fields: a `url` other
 * than the one shown replaces those fields.
 */
async function submit(call: Call): Promise<unknown> {
  const { body } = call
  const { url, id, host } = (body ?? {}) as Record<string, unknown>
  if (typeof url !== 'string' || !url.trim()) return handleSubmitCall(dataSourceServer, call)
  const was = isEmptyInput(id) ? undefined : await call.db.get(dataSource, String(id)).catch(() => undefined)
  const isAsShown = was ? url === addressOf(was) : !isEmptyInput(host)
  if (isAsShown) return handleSubmitCall(dataSourceServer, call)
  const place = parseJdbcUrl(url)
  if (!place) throw new Refused('source_address', {}, { field: 'url' })
  return handleSubmitCall(dataSourceServer, { ...call, body: { ...(body as object), ...place } })
}

async function noteTest(call: Call, { id }: DataSourceRow, testState: string, testNote: string): Promise<void> {
  const { services, caller } = call
  await services.unit(
    { crossTenantReason: 'data sources are the platform’s, and say when they were tested last' },
    (db) => db.update(dataSource, id, { testState, testNote, testTime: formatShanghaiTime(services.now()) }),
    actorOfCaller(caller),
  )
}

/** Tests the connection by listing the tables; stores the result in the row, also when it failed. */
async function test(call: Call<{ id: string }>) {
  const row = await requireReadableDataSource(call, call.input.id)
  const begun = performance.now()
  try {
    const tables = await readFromDataSource(call.services, row, (ask) => listDataSourceTables(ask, row))
    const millis = Math.round(performance.now() - begun)
    await noteTest(call, row, DATA_SOURCE_REACHABILITY.well, `${tables.length} / ${millis} ms`)
    return { tables: tables.length, millis }
  } catch (error) {
    if (error instanceof Refused && error.code !== 'source_busy')
      await noteTest(call, row, DATA_SOURCE_REACHABILITY.badly, error.code)
    throw error
  }
}

const base = dataSource.path
export const dataSourceRoutes = [
  { ...resourceRoutes(serve(dataSource)).find(({ path }) => path.endsWith('/submit'))!, handle: submit },
  defineRoute({
    method: 'POST',
    path: `${base}/test`,
    title: { zh: '测试数据源', en: 'Test data source' },
    can: 'datasource_test',
    tx: false,
    perMinute: 60,
    input: { id: f.ref(dataSource.name, { label: dataSource.label, required: true }) },
    handle: test,
  }),
  defineRoute({
    method: 'GET',
    path: `${base}/select`,
    title: { zh: '数据源选项', en: 'Data source options' },
    can: ['datasource', 'model', 'code'],
    handle: async ({ db, caller }) => {
      const own = caller.isPlatform ? undefined : await findTenantDataSourceId(db)
      const rows = await db.query<{ id: string; name: string }>(
        sql`select id::text as id, name from data_source where is_deleted = 0 order by name limit 500`,
      )
      return caller.isPlatform ? rows : rows.filter(({ id }) => id === own)
    },
  }),
]
